import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Sighting } from '../platforms/platform.ts'
import { timelineOf } from '../platforms/practice/timeline.ts'
import { judge } from './judge.ts'
import { note, nothing, type Seen } from './observe.ts'
import { programmeOf, type Play } from './programme.ts'
import { REHEARSED } from './rehearsed.ts'

async function playFor(source: Play['source'], script?: string): Promise<Play> {
  const plays = await programmeOf('meet', script)
  const play = plays.find((one) => one.source === source)
  assert.ok(play)
  return play
}

/** A bot that sees exactly what the script shows. */
function perfect({ script, source }: Play): Seen {
  const seen = nothing()
  note(seen, { seen: 'door' }, 10)
  for (const { atMs, sighting } of timelineOf(script)) {
    const isVersioned = sighting.seen === 'caption' && source === 'wire'
    note(seen, isVersioned ? { ...sighting, version: atMs } : sighting, atMs)
  }
  if (seen.over === null) seen.leftAfterMs = 500
  return seen
}

function failures(seen: Seen, play: Play): string[] {
  return judge(seen, play)
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`)
}

test('a bot that sees what the script shows passes every step of every rehearsal', async () => {
  for (const which of REHEARSED) {
    for (const play of [
      ...(await programmeOf(which, undefined)),
      ...(await programmeOf(which, 'plain')),
      ...(await programmeOf(which, 'denied')),
    ])
      assert.deepEqual(failures(perfect(play), play), [], `${which} ${play.about}`)
  }
})

test('each thing that goes wrong in a rehearsal is told by its own step', async () => {
  const play = await playFor('wire')
  const broken: Array<[says: RegExp, Partial<Seen>]> = [
    [/^people: not seen: Ana Ribeiro, Ben Carter$/, { names: new Set() }],
    [
      /^captions: never,words: 3 of 3 sentences missing/,
      { captions: new Map(), at: withoutCaptions() },
    ],
    [/^selectors: not found on the page: chat$/, { drifts: [{ part: 'chat', foundBy: null }] }],
    [/^left: the bot did not come to leave$/, { leftAfterMs: null }],
  ]
  for (const [says, change] of broken)
    assert.match(failures({ ...perfect(play), ...change }, play).join(), says)
  const drifted = { ...perfect(play), drifts: [{ part: 'chat', foundBy: 'an icon' }] }
  assert.deepEqual(failures(drifted, play), [])
  const byPage = { ...perfect(await playFor('page')) }
  assert.match(failures(byPage, play).join(), /^captions: they came, but not by the wire$/)
})

test('a bot that gets nowhere is told with the reason of its end', async () => {
  const play = await playFor('wire')
  const seen = nothing()
  const over: Sighting = { seen: 'over', because: 'page_not_loaded', detail: 'ERR_FAILED' }
  note(seen, over, 10)
  assert.match(
    failures(seen, play)[0] ?? '',
    /^page loaded: never; it ended with page_not_loaded: ERR_FAILED$/,
  )
  const denied = await playFor(null, 'denied')
  assert.match(failures(seen, denied).join(), /end: expected denied, got page_not_loaded/)
})

test('a rehearsal that is not there is refused, however it is spelt', async () => {
  for (const name of ['opera', '../../package', '', 'A'])
    await assert.rejects(programmeOf('meet', name), /There is no rehearsal meet-/)
})

function withoutCaptions(): Seen['at'] {
  return new Map([
    ['door', 1],
    ['admitted', 2],
  ])
}
