import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { eventually } from '../support/time/eventually.ts'
import { openModelServer, type ModelServerRequest } from '../support/tasks/model-server.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'

/** Answers with two insights: one quotes the newest line of the prompt, the other words that no line contains. */
function answerWithInsights({ body }: ModelServerRequest) {
  const text = JSON.stringify(body.messages.at(-1)?.content)
  const [, number = '', words = ''] = /.*\\n(\d+) [^:]+: ([^"\\]+)/s.exec(text) ?? []
  const insight = { category: 'risk', severity: 'warning', title: 'Risk', text: 'Take care' }
  const insights = [
    { ...insight, segmentNumber: 1, quote: 'words that were never spoken' },
    { ...insight, segmentNumber: Number(number), quote: words },
  ]
  return { words: [JSON.stringify({ summary: 'So far so good', insights })] }
}

test('a language model adds insights that quote the transcript, and its tokens are counted', async () => {
  const formatOf = ({ body }: ModelServerRequest) =>
    (body['response_format'] as { type: string } | undefined)?.type
  // A server that accepts no schema is asked again without one.
  await using server = await openModelServer((request) =>
    formatOf(request) === 'json_schema'
      ? { status: 400, error: 'response_format json_schema is not supported' }
      : answerWithInsights(request),
  )
  await using service = await startService({
    HANSARD_AI_COACH_MODEL: 'openai-compatible/cheap',
    HANSARD_AI_BASE_URL: server.url,
  })
  const program = await openMeetingsClient(service)
  const id = await program.start('practice://long?speed=30')
  const insight = await eventually(async () => {
    const events = await program.events(id)
    return events.find(({ payload }) => payload['engine'] === 'llm') ?? null
  })
  assert.equal(insight.payload['category'], 'risk')
  const [number] = insight.payload['segmentNumbers'] as number[]
  assert.ok(number !== undefined && number > 1)
  assert.equal(server.requests[0]?.body.model, 'cheap')
  const [refused, ...answered] = server.requests.map(formatOf)
  assert.deepEqual([refused, ...new Set(answered)], ['json_schema', 'json_object'])
  assert.match(JSON.stringify(server.requests[1]?.body.messages), /segmentNumber/)
  await program.post('/stop', { meetingId: id })
  await program.waitForStatus(id)
  const { body } = await program.ask('GET', '/usage')
  const [row] = body['usage'] as Array<Record<string, unknown>>
  assert.equal(row?.['task'], '(coach)')
  const used = Number(row['inputTokens'])
  assert.ok(used > 0 && used % 120 === 0, String(used))
})

test('a coach model that hangs or fails does not delay segments', async () => {
  await using server = await openModelServer((_, number) =>
    number === 1 ? { breaksBy: 'hang' } : { status: 500, error: 'broken' },
  )
  await using service = await startService({
    HANSARD_AI_COACH_MODEL: 'openai-compatible/cheap',
    HANSARD_AI_BASE_URL: server.url,
  })
  const program = await openMeetingsClient(service)
  const id = await program.start('practice://long?speed=20')
  const segments = async () => {
    const { body } = await program.get(`/${id}`)
    return Number((body['meeting'] as Record<string, unknown>)['segmentCount'])
  }
  await eventually(() => (server.requests.length > 0 ? true : null))
  const before = await segments()
  await eventually(async () => ((await segments()) > before ? true : null))
  await program.post('/stop', { meetingId: id })
  assert.equal((await program.waitForStatus(id))['status'], 'ended')
})
