import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { createTaskMetrics } from '../../src/tasks/metrics.ts'
import { addUsage } from '../../src/ai/usage.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { eventually } from '../support/time/eventually.ts'

type Family = { name: string; help: string; type: string; series: string[] }

const USAGE = {
  inputTokens: 100,
  cachedInputTokens: 40,
  outputTokens: 7,
  usageMissing: false,
  isEstimated: false,
  at: new Date(),
  taskName: 't',
  model: 'a/b',
  costUsd: 0.5,
  project: null,
}

/** Name parts that Prometheus reserves or advises against: units other than base units, and types. */
const UNWANTED_NAME_PARTS =
  /_(?:ms|milliseconds|us|microseconds|ns|nanoseconds|minutes|hours|days|kb|kilobytes|mb|megabytes|gb|gigabytes|bits|percent|gauge|counter|histogram|summary)(?:_|$)/

/** The rules of `promtool check metrics`, and a limit for the series of each metric. */
const LINT_RULES: Array<[rule: string, isBroken: (family: Family) => boolean]> = [
  ['has a help text', ({ help }) => help.length < 10],
  ['has a type', ({ type }) => !/^(?:counter|gauge|histogram|summary)$/.test(type)],
  [
    'is a counter if and only if it ends in _total',
    (f) => (f.type === 'counter') !== f.name.endsWith('_total'),
  ],
  ['has a name in snake case', ({ name }) => !/^[a-z][a-z0-9_]*$/.test(name)],
  ['uses base units and no type in its name', ({ name }) => UNWANTED_NAME_PARTS.test(name)],
  ['does not end as parts of a histogram do', ({ name }) => /_(?:count|sum|bucket)$/.test(name)],
  [
    'has labels in snake case',
    ({ series }) => series.some((line) => /[{,][^{,="]*[A-Z][^{,="]*="/.test(line)),
  ],
  [
    'names no meeting, task or person in a label',
    ({ series }) => /(?:meeting|task|execution)_\d{13}|@/.test(series.join()),
  ],
]

const COUNTED_LAST = [
  'hansard_bots_running{platform="practice"} 1\n',
  'hansard_meetings_ended_total{platform="practice",reason="denied"} 1\n',
  'hansard_meetings_ended_total{platform="practice",reason="host_ended"} 1\n',
]

function parseFamilies(text: string): Family[] {
  return text
    .split(/^# HELP /m)
    .slice(1)
    .map((block) => {
      const [first = '', second = '', ...series] = block.trimEnd().split('\n')
      const [, name = '', help = ''] = /^(\S+) (.*)$/.exec(first) ?? []
      return { name, help, type: second.replace(`# TYPE ${name} `, ''), series }
    })
}

test('/metrics has the meetings, bots, joins, segments, executions and tokens, and follows the rules of Prometheus', async () => {
  await using service = await startService({ HANSARD_MAX_BOTS: '3' })
  const program = await openMeetingsClient(service)
  const waiting = await program.start('practice://lobby-timeout')
  await program.waitForStatus(waiting, ['lobby'])
  const over = [
    await program.start('practice://host-ends?speed=1000'),
    await program.start('practice://denied?speed=1000'),
  ]
  for (const id of over) await program.waitForStatus(id)
  const log = createLog('silent')
  const address = { connectionString: service.databaseUrl }
  const { db, close } = await connectToDatabase(address, { max: 1, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  for (let run = 1; run <= 2; run += 1) await db.transaction().execute((tx) => addUsage(tx, USAGE))

  // A meeting is counted after its commit, which can be after the client has read the status.
  const text = await eventually(async () => {
    const { body } = await program.admin.get('/metrics')
    const metrics = String(body['text'])
    return COUNTED_LAST.every((line) => metrics.includes(line)) ? metrics : null
  })
  for (const line of [
    'hansard_meetings{platform="practice",status="lobby"} 1',
    'hansard_meetings{platform="google_meet",status="live"} 0',
    'hansard_meetings_queued 0',
    'hansard_bots_limit{kind="browser"} 3',
    'hansard_browsers_running 0',
    'hansard_join_results_total{platform="practice",result="admitted"} 1',
    'hansard_join_results_total{platform="practice",result="denied"} 1',
    'hansard_executions_running 0',
    'hansard_executions_queued 0',
    'hansard_model_tokens_total{model="a/b",kind="input"} 120',
    'hansard_model_tokens_total{model="a/b",kind="cached_input"} 80',
    'hansard_model_tokens_total{model="a/b",kind="output"} 14',
    'hansard_model_cost_dollars_total{model="a/b"} 1',
  ])
    assert.ok(text.split('\n').includes(line), `${line} is missing`)
  assert.match(text, /^hansard_segments_total\{platform="practice"\} [1-9]\d*$/m)

  const families = parseFamilies(text)
  assert.ok(families.length > 30)
  const broken = LINT_RULES.flatMap(([rule, isBroken]) =>
    families.filter(isBroken).map(({ name }) => `${name}: ${rule}`),
  )
  assert.deepEqual(broken, [])
})

test('scrapes at the same time get the same sums', async () => {
  await using database = await createTestDatabase()
  const log = createLog('silent')
  const address = { connectionString: database.url }
  const { db, close } = await connectToDatabase(address, { max: 4, log })
  await using stack = new AsyncDisposableStack()
  stack.defer(close)
  await db.transaction().execute((tx) => addUsage(tx, USAGE))
  const registry = new Registry()
  createTaskMetrics(db, () => 0).register(registry)
  for (const text of await Promise.all([registry.metrics(), registry.metrics()])) {
    assert.match(text, /^hansard_model_tokens_total\{model="a\/b",kind="output"\} 7$/m)
    assert.match(text, /^hansard_model_cost_dollars_total\{model="a\/b"\} 0\.5$/m)
  }
})
