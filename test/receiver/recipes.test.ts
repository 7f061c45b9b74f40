import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import vm from 'node:vm'
import type { MeetingEvent } from 'hansard/receiver'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { headersFor, MEETING_ID, NEXT_SECRET, sampleBody, SECRET } from './sample-callbacks.ts'

const read = (path: string) => readFileSync(join(INSTALLATION_FOLDER, 'examples', path), 'utf8')
const BODY = sampleBody(2)
const SIGNATURE = headersFor(BODY)['x-service-signature'] ?? ''

const recap = (changes: Partial<MeetingEvent<'recap_ready'>['payload']> = {}) => ({
  type: 'recap_ready' as const,
  meetingId: MEETING_ID,
  sequence: 9,
  timestamp: '2026-11-15T09:30:00.000Z',
  payload: {
    version: 1,
    method: 'rules' as const,
    model: null,
    error: null,
    summary: ['<!channel> agreed on Q&A.', 'Ben sends it.'],
    decisionCount: 2,
    actionCount: 1,
    openQuestionCount: 0,
    timestamp: '2026-11-15T09:30:00.000Z',
    ...changes,
  },
})

/** Runs the code of a Zapier step with the variables that Zapier documents. Every input is a text. */
function runZapierStep(inputData: Record<string, string>): Record<string, unknown> {
  const context = { inputData, output: {}, require: createRequire(import.meta.url), Buffer }
  vm.runInNewContext(read('zapier/verify.js'), context)
  return context.output
}

test('the Zapier step returns the fields of a signed callback', () => {
  const step = { body: BODY, signature: SIGNATURE, secret: `${NEXT_SECRET} ${SECRET}` }
  const { payload, ...fields } = runZapierStep(step)
  assert.deepEqual(
    { ...fields },
    {
      key: `${MEETING_ID}_3`,
      type: 'segment_finalized',
      meetingId: MEETING_ID,
      sequence: 3,
      timestamp: '2026-11-15T09:30:00.000Z',
      status: '',
      speaker: 'Zoë "会議" 😀',
      text: 'First.\r\nSecond.12.{"type":"x"}',
    },
  )
  assert.deepEqual(JSON.parse(String(payload)), (JSON.parse(BODY) as MeetingEvent).payload)
})

test('the Zapier step stops the Zap when the signature or the secret is wrong or missing', () => {
  const right = { body: BODY, signature: SIGNATURE, secret: SECRET }
  for (const wrong of [
    { ...right, body: `${BODY} ` },
    { ...right, signature: SIGNATURE.toUpperCase() },
    { ...right, secret: NEXT_SECRET },
    { body: BODY, secret: SECRET },
    {},
    { secret: SECRET },
    { body: BODY, signature: SIGNATURE, secret: ' ' },
  ]) {
    assert.throws(() => runZapierStep(wrong), /signature|secret/)
  }
})

type Workflow = {
  nodes: Array<{ name: string; parameters: { jsCode?: string } }>
  connections: Record<string, { main: Array<Array<{ node: string }>> }>
}
const workflow = JSON.parse(read('n8n/workflow.json')) as Workflow

/** Runs the code node of the workflow with what n8n gives it. */
async function runCodeNode(
  body: string,
  headers: Record<string, string>,
  secret: string | undefined,
): Promise<unknown> {
  const code = workflow.nodes.find(({ name }) => name === 'Verify')?.parameters.jsCode ?? ''
  const run = vm.runInNewContext(
    `(async function ($input, $env, require, Buffer) {${code}\n})`,
  ) as (...args: unknown[]) => Promise<unknown>
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) }
  const $input = { all: () => [{ json: { headers }, binary: { data: {} } }] }
  const require = createRequire(import.meta.url)
  const items = await run.call(
    { helpers },
    $input,
    { HANSARD_SIGNING_SECRET: secret },
    require,
    Buffer,
  )
  return JSON.parse(JSON.stringify(items))
}

test('the n8n workflow leads from the webhook through the check to the action', () => {
  const path = ['Webhook']
  for (let next = 'Webhook'; next !== '';) {
    next = workflow.connections[next]?.main[0]?.[0]?.node ?? ''
    if (next !== '') path.push(next)
  }
  assert.deepEqual(
    path,
    workflow.nodes.map(({ name }) => name),
  )
})

test('the code node of n8n accepts signed callbacks and answers others with 401', async () => {
  const refused = [{ json: { isValid: false, status: 401 } }]
  assert.deepEqual(await runCodeNode(BODY, headersFor(BODY), `${NEXT_SECRET} ${SECRET}`), [
    {
      json: {
        isValid: true,
        status: 204,
        key: `${MEETING_ID}_3`,
        event: JSON.parse(BODY) as unknown,
      },
    },
  ])
  assert.deepEqual(await runCodeNode(`${BODY} `, headersFor(BODY), SECRET), refused)
  assert.deepEqual(await runCodeNode(BODY, {}, SECRET), refused)
  assert.deepEqual(await runCodeNode(BODY, headersFor(BODY), NEXT_SECRET), refused)
  assert.deepEqual(await runCodeNode(BODY, headersFor(BODY, ''), undefined), refused)
})

/** Runs the step for trackers in n8n, or in Zapier with what its step before gives. */
function runTrackerStep(globals: Record<string, unknown>): unknown {
  const step = vm.runInNewContext(
    `(function () {${read('trackers/tracker-item.js')}\n})`,
    globals,
  ) as () => unknown
  return JSON.parse(JSON.stringify(step()))
}

test('the step for trackers makes the same item in n8n and in Zapier, and skips other events', () => {
  const action: MeetingEvent<'action_changed'> = {
    ...recap(),
    type: 'action_changed',
    payload: {
      actionId: 'action_1',
      text: `Fix ${'the page '.repeat(40)}`,
      owner: null,
      dueDate: '2026-11-18',
      state: 'done',
      previous: { state: 'open' },
      project: 'sales',
      meetingTitle: 'Launch',
      segmentNumbers: [4],
      url: 'https://hansard.example.com/meetings/m#line-4',
      timestamp: '2026-11-15T09:30:00.000Z',
    },
  }
  const events = [recap(), action]
  const inN8n = runTrackerStep({
    $input: { all: () => events.map((event) => ({ json: { event } })) },
  }) as Array<{ json: Record<string, unknown> }>
  const inZapier = events.map(({ type, payload }) =>
    runTrackerStep({ inputData: { type, payload: JSON.stringify(payload) } }),
  )
  const item = inN8n[0]?.json
  assert.equal(inN8n.length, 1)
  assert.deepEqual(inZapier, [[], [item]])
  assert.partialDeepStrictEqual(item, {
    actionId: 'action_1',
    step: 'update',
    owner: '',
    dueDate: '2026-11-18',
    isDone: true,
    isDeleted: false,
  })
  assert.equal(String(item?.['title']).length, 250)
  assert.match(String(item?.['description']), /Meeting: Launch \(sales\)\n\nhttps:/)
})
