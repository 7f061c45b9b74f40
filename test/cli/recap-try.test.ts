import { strict as assert } from 'node:assert'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPrompt } from '../recap/model-answers.ts'
import { runLoadedCommand, startLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder, type TestDataFolder } from '../support/service/service-process.ts'
import { openModelServer, type ModelServerRequest } from '../support/tasks/model-server.ts'
import { eventually } from '../support/time/eventually.ts'

const SPOKEN = [
  'Welcome, this is the weekly meeting of the product team.',
  'We decided to ship the new search page on Friday.',
  'I will fix the search page by Wednesday.',
  'Who tells the customers about the change?',
  'Nobody knows that yet, so let us stop here for today.',
]

function createMeeting(name: string) {
  return {
    title: name,
    language: 'en',
    startedAt: '2026-11-17T09:00:00Z',
    timeZone: 'Europe/London',
    participants: ['Ada', 'Ben'],
    segments: SPOKEN.map(
      (text, i) => `${i + 1} 00:0${i}-00:0${i + 1} ${i === 2 ? 'Ben' : 'Ada'}: ${name}. ${text}`,
    ),
    actions: [{ owner: 'Ben', due: '2026-11-18', segments: [3] }],
    decisions: [{ segments: [2] }],
    openQuestions: [{ segments: [4] }],
  }
}

const cite = (number: number) => ({ segmentNumbers: [number], quote: SPOKEN[number - 1] })
const ANSWER = {
  title: { text: 'Release', ...cite(2) },
  summary: [{ text: 'The search page ships on Friday.', ...cite(2) }],
  decisions: [
    { text: 'The search page ships on Friday.', reason: '', ...cite(2) },
    { text: 'The team met.', reason: '', ...cite(1) },
  ],
  actions: [
    {
      text: 'Fix the search page',
      owner: 'Ben',
      dueText: 'by Wednesday',
      dueDate: '2026-11-19',
      ...cite(3),
    },
  ],
  openQuestions: [{ text: 'Who tells the customers?', ...cite(5) }],
  topics: [],
}

/** A folder with meetings, and a file with the model's answer to each. */
function createFolders({ data }: TestDataFolder, answers: Record<string, unknown>) {
  const folder = join(data, 'labelled')
  mkdirSync(folder, { recursive: true })
  for (const name of Object.keys(answers)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(createMeeting(name)))
  }
  const file = join(data, 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  return { folder, file }
}

/** Answers from the file, by the name of the meeting. */
function answerFromFile(file: string, request: ModelServerRequest) {
  const [, name = ''] = /\n1 Ada: (\w+)\./.exec(readPrompt(request)) ?? []
  const answer = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[name]
  return { words: [typeof answer === 'string' ? answer : JSON.stringify(answer)] }
}

test('hansard recap try scores the recaps that a model makes of labelled meetings', async () => {
  await using data = createTestDataFolder()
  const { folder, file } = createFolders(data, { Alpha: ANSWER, Beta: 'I cannot do that.' })
  await using server = await openModelServer((request) => answerFromFile(file, request))
  const env = { ...data.env, HANSARD_AI_BASE_URL: server.url }
  const run = (...args: string[]) =>
    runLoadedCommand(['recap', 'try', folder, '--model', 'openai-compatible/small', ...args], env)
  const { code, stdout, stderr } = await run()
  assert.deepEqual([code, stderr], [1, ''])
  assert.deepEqual(stdout.split('\n').slice(0, 7), [
    'ok    Alpha: action items 1 of 1 right, 1 of 1 found; decisions 1 of 2 right, 1 of 1 found; open questions 0 of 1 right, 0 of 1 found (150 tokens)',
    'FAIL  Beta: The answer of the model is not JSON (150 tokens)',
    '',
    'PRECISION, RECALL  MODEL       WITHIN 2 LINES  RULES       WITHIN 2 LINES',
    'action items       1.00, 1.00  1.00, 1.00      1.00, 1.00  1.00, 1.00',
    'decisions          0.50, 1.00  1.00, 1.00      1.00, 1.00  1.00, 1.00',
    'open questions     0.00, 0.00  1.00, 1.00      1.00, 1.00  1.00, 1.00',
  ])
  assert.match(stdout, /owner right 1 of 1, due date right 0 of 1/)
  assert.match(
    stdout,
    /openai-compatible\/small: 2 of 2 meetings, 1 failed; 2 requests, 240 input and 60 output tokens, no price set/,
  )

  writeFileSync(join(data.data, 'prices.yaml'), 'openai-compatible/small: {input: 1, output: 2}\n')
  const priced = await runLoadedCommand(
    ['recap', 'try', folder, '--model', 'openai-compatible/small', '--limit', '1', '--json'],
    { ...env, HANSARD_AI_PRICES_FILE: join(data.data, 'prices.yaml') },
  )
  assert.equal(priced.code, 0, priced.stderr)
  assert.partialDeepStrictEqual(JSON.parse(priced.stdout), {
    model: 'openai-compatible/small',
    meetings: [{ name: 'Alpha', error: null, languageProblem: null, droppedStatements: 0 }],
    total: {
      exact: { actions: { entries: 1, right: 1, labels: 1, found: 1 } },
      actions: { right: 1, rightOwner: 1, rightDue: 0 },
    },
    usage: { requests: 1, inputTokens: 120, outputTokens: 30 },
    stoppedBy: null,
  })
  const limited = await run('--max-tokens', '100')
  assert.match(limited.stdout, /1 of 2 meetings[^]*Stopped, because --max-tokens were used/)
  assert.equal(limited.code, 1)
})

test('hansard recap try can try other rules, instructions and languages', async () => {
  await using data = createTestDataFolder()
  const { folder, file } = createFolders(data, { Alpha: ANSWER })
  await using server = await openModelServer((request) => answerFromFile(file, request))
  const env = { ...data.env, HANSARD_AI_BASE_URL: server.url }
  const run = (...args: string[]) =>
    runLoadedCommand(['recap', 'try', folder, '--model', 'openai-compatible/m', ...args], env)
  const printed = await runLoadedCommand(['recap', 'prompt'], env)
  assert.match(printed.stdout, /^You write the recap of a meeting/)
  const [rules, wishes] = [join(data.data, 'rules.txt'), join(data.data, 'wishes.txt')]
  writeFileSync(rules, `${printed.stdout}Be brief.`)
  writeFileSync(wishes, 'Name every customer.\n')
  const { code, stdout } = await run(
    '--prompt',
    rules,
    '--instructions',
    wishes,
    '--language',
    'pt-br',
  )
  assert.equal(code, 0)
  const [request] = server.requests
  assert.ok(request)
  assert.match(String(request.body.messages[0]?.content), /Be brief\.$/)
  assert.match(
    readPrompt(request),
    /<document path="instructions">\nName every customer\.\n<\/document>/,
  )
  // The answer is in English, so it was asked for once more.
  assert.equal(server.requests.length, 2)
  assert.match(stdout, /\n {6}The language model wrote this recap in English instead of Portuguese/)
})

test('hansard recap try prints what it has when it is interrupted', async () => {
  await using data = createTestDataFolder()
  const { folder, file } = createFolders(data, { Alpha: ANSWER, Beta: ANSWER })
  await using server = await openModelServer((request, number) =>
    number === 1 ? answerFromFile(file, request) : { breaksBy: 'hang' },
  )
  await using command = startLoadedCommand(
    ['recap', 'try', folder, '--model', 'openai-compatible/m'],
    { ...data.env, HANSARD_AI_BASE_URL: server.url },
  )
  await eventually(() => server.requests.length === 2 || null)
  command.kill('SIGINT')
  const { code, stdout } = await command.waitForEnd()
  assert.equal(code, 1)
  assert.match(stdout, /^ok {4}Alpha[^]*: 1 of 2 meetings, 0 failed[^]*Stopped by Ctrl-C\.\n$/)
})

test('hansard recap try says what is wrong with a folder, a file or a model', async () => {
  await using data = createTestDataFolder()
  const { folder } = createFolders(data, { Alpha: ANSWER })
  const env = { ...data.env, HANSARD_AI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const model = ['--model', 'openai-compatible/m']
  const broken = join(data.data, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'one.json'), JSON.stringify({ ...createMeeting('x'), actions: 1 }))
  const long = join(data.data, 'long.txt')
  writeFileSync(long, 'x'.repeat(50_000))
  const cases: Array<[args: string[], message: RegExp]> = [
    [[folder], /No language model is configured for recaps\n {2}Set HANSARD_AI_RECAP_MODEL/],
    [[folder, '--model', 'unknown/m'], /Unknown provider: unknown/],
    [[folder, '--model', 'openai/m'], /No API key for openai: set OPENAI_API_KEY/],
    [[join(folder, 'none'), ...model], /There are no meetings in/],
    [[broken, ...model], /one\.json is not a labelled meeting\. actions: [^\n]*\n {2}bench/],
    [[folder, ...model, '--prompt', long], /is larger than 40 kB/],
    [[folder, ...model, '--instructions', join(folder, 'no')], /no such file/],
    [[folder, ...model, '--language', 'xx'], /Must be a language tag/],
    [[folder, ...model, '--limit', '0'], /must be a whole number/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runLoadedCommand(['recap', 'try', ...args], env)
    assert.deepEqual([code !== 0, stdout], [true, ''], args.join(' '))
    assert.match(stderr, message)
  }
})
