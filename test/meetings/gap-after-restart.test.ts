import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { eventually } from '../support/time/eventually.ts'

test('after a restart the document, every export and the events say the same about the gap', async () => {
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const env = {
    DATABASE_URL: database.url,
    HANSARD_DATA: folder.data,
    HANSARD_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
  }
  const first = await startService(env)
  const { key, ...program } = await openMeetingsClient(first)
  const id = await program.start('practice://standup?speed=10')
  await eventually(async () => {
    const { body } = await program.get(`/${id}`)
    const { segmentCount } = body['meeting'] as { segmentCount: number }
    return segmentCount >= 2 ? true : null
  })
  await first[Symbol.asyncDispose]()

  await using second = await startService(env)
  const read = async (path: string) =>
    (await second.anonymousClient().get(`/api/v1/meetings/${id}${path}`, key)).body
  await eventually(async () => {
    const { status } = (await read(''))['meeting'] as { status: string }
    return status === 'ended' ? true : null
  })
  const transcript = await read('/transcript')
  const [gap, ...others] = transcript['gaps'] as Array<Record<string, unknown>>
  assert.deepEqual(others, [])
  assert.equal(gap?.['cause'], 'restarted')
  const text = String(gap['text'])
  assert.match(text, /^(?:\d+ min)?(?: ?\d+ s)? not recorded: Hansard restarted$/)

  const number = Number(gap['afterSegmentNumber'])
  const lines = transcript['segments'] as Array<{ segmentNumber: number; text: string }>
  const wordsOf = (wanted: number) =>
    lines.find(({ segmentNumber }) => segmentNumber === wanted)?.text.slice(0, 20) ?? 'no line'
  const marks: Record<string, string> = {
    md: `\n\n*${text}*\n\n`,
    txt: `(${text})\n`,
    srt: `\n[${text}]\n`,
    vtt: `\n[${text}]\n`,
  }
  const written: Array<[string, string, string]> = [
    ['document', marks['md'] ?? '', String((await read('/document'))['text'])],
  ]
  for (const [format, mark] of Object.entries(marks))
    written.push([format, mark, String((await read(`/transcript?format=${format}`))['text'])])
  for (const [where, mark, content] of written) {
    const parts = content.split(mark)
    assert.equal(parts.length, 2, where)
    assert.ok(parts[0]?.includes(wordsOf(number)), `${where} before`)
    assert.ok(parts[1]?.includes(wordsOf(number + 1)), `${where} after`)
  }
  const events = (await read('/events?limit=1000'))['events'] as Array<{
    payload: { gaps?: unknown; segmentNumber?: number }
  }>
  const reported = events.filter(({ payload }) => payload.gaps !== undefined)
  assert.deepEqual(
    reported.map(({ payload }) => [payload.segmentNumber, payload.gaps]),
    [[number + 1, [gap]]],
  )
})
