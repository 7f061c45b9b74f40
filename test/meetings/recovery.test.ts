import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/parse-markdown.ts'
import { eventually } from '../support/eventually.ts'
import { Person } from '../support/person.ts'
import { enter, makePlace, nothingLeft, startProcess } from '../support/process.ts'

const KILLS = 6
const MEETINGS = 8
const FINAL = new Set(['ended', 'error'])

type Line = { speaker: string; text: string }
type Event = { type: string; sequence: number; payload: Record<string, unknown> }

const joined = (lines: Line[]) => lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')

/** Turns as the document has them: neighbouring segments of one speaker are one. */
function turns(segments: Line[]): Line[] {
  const list: Line[] = []
  for (const { speaker, text } of segments) {
    const last = list.at(-1)
    if (last?.speaker === speaker) last.text = `${last.text} ${text}`
    else list.push({ speaker, text })
  }
  return list
}

test('meetings go on after every kill -9, and nothing that was said is lost or said twice', async () => {
  await using place = makePlace()
  const ids: string[] = []
  const known = new Map<string, Event[]>()
  let key: Record<string, string> = {}

  for (let round = 0; round <= KILLS; round += 1) {
    await using service = await startProcess(place.env)
    const program = new Person(service.url)
    if (round === 0) {
      const ada = await enter(service)
      key = { 'x-api-key': (await ada.makeToken()).apiKey }
      for (let i = 0; i < MEETINGS; i += 1) {
        const body = { url: 'practice://standup?speed=6', callbackUrl: 'http://127.0.0.1:9/' }
        const { body: made } = await program.post('/api/v1/meetings/start', body, key)
        ids.push(made['meetingId'] as string)
      }
    }
    const read = async (id: string) => {
      const { body } = await program.get(`/api/v1/meetings/${id}/events?limit=1000`, key)
      return body['events'] as Event[]
    }
    // What was acknowledged before the kill is there after it, to the byte and in its place.
    for (const id of ids) {
      const events = await read(id)
      const before = known.get(id) ?? []
      assert.deepEqual(events.slice(0, before.length), before)
    }
    if (round < KILLS) {
      await sleep(400 + 130 * round)
      for (const id of ids) known.set(id, await read(id))
      process.kill(service.servicePid(), 'SIGKILL')
      await service.exited
      await nothingLeft(place.data)
      continue
    }
    for (const id of ids) await check(program, key, id, await finished(read, id))
  }
})

async function finished(read: (id: string) => Promise<Event[]>, id: string): Promise<Event[]> {
  return eventually(async () => {
    const events = await read(id)
    const last = events.findLast(({ type }) => type === 'meeting_status')
    return FINAL.has(String(last?.payload['status'])) ? events : null
  })
}

async function check(
  program: Person,
  key: Record<string, string>,
  id: string,
  events: Event[],
): Promise<void> {
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 1),
  )
  const { body } = await program.get(`/api/v1/meetings/${id}/transcript`, key)
  const segments = body['segments'] as Array<Line & { segmentNumber: number }>
  const finals = events.filter(({ type }) => type === 'segment_finalized')
  assert.equal(joined(finals.map(({ payload }) => payload as Line)), joined(segments))
  assert.deepEqual(
    segments.map(({ segmentNumber }) => segmentNumber),
    segments.map((_, i) => i + 1),
  )
  const texts = segments.map(({ speaker, text }) => `${speaker}: ${text}`)
  assert.equal(new Set(texts).size, texts.length, `a segment came twice: ${joined(segments)}`)
  const { body: document } = await program.get(`/api/v1/meetings/${id}/document`, key)
  const saved = parseTranscriptMarkdown(String(document['text']))
  assert.equal(joined(saved), joined(turns(segments)))
}
