import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLog } from '../../../log.ts'
import { TemplateFailure } from './template-failure.ts'
import { createTemplateRenderer } from './template-renderer.ts'
import { createSampleInputs } from './template-variables.ts'

const log = createLog('silent')
const ENDLESS = '{% for i in (1..99999) %}{% for j in (1..99999) %}{% endfor %}{% endfor %}'
/** Which limit an endless template reaches first depends on the machine. */
const LIMIT_EXCEEDED = /^Template: (?:memory alloc|template render) limit exceeded/

const shared = createTemplateRenderer({ log, maxThreads: 2 })
const render = (body: string, inputs = createSampleInputs(), bodyLine = 1) =>
  shared.render({ body, bodyLine }, inputs)

/** Inputs with two transcripts, which record if they are read. */
function createRecordedInputs(read = async (title: string) => `text of ${title}`) {
  const inputs = createSampleInputs()
  const [sample] = inputs.transcripts
  assert.ok(sample !== undefined)
  const reads: string[] = []
  const transcripts = ['one', 'two'].map((title) => ({
    ...sample,
    title,
    path: `${title}.md`,
    read: () => {
      reads.push(title)
      return read(title)
    },
  }))
  return { reads, inputs: { ...inputs, transcripts } }
}

const isFailure = (message: RegExp) => (error: unknown) =>
  error instanceof TemplateFailure && message.test(error.message)

test('the event loop is free while a template loops until its limit', async () => {
  let isEnded = false
  const rendering = render(ENDLESS).finally(() => (isEnded = true))
  const refused = assert.rejects(rendering, isFailure(LIMIT_EXCEEDED))
  await nextTurn()
  assert.equal(isEnded, false)
  await refused
})

test('a template gets the texts of the transcripts that it uses, and no other is read', async () => {
  const { reads, inputs } = createRecordedInputs()
  assert.equal(await render('{{ transcripts | map: "title" | join: " " }}', inputs), 'one two')
  assert.deepEqual(reads, [])
  const text = '<document path="two.md">\ntext of two\n</document>'
  assert.equal(await render('{{ transcripts[1].text }}', inputs), text)
  assert.deepEqual(reads, ['two'])
  const both = '{{ transcripts[1].text }}{{ newTranscripts[1].text }}'
  assert.equal(await render(both, inputs), text + text)
})

test('errors name the line of the prompt file, also those of a document that cannot be read', async () => {
  const { inputs } = createRecordedInputs(async () => {
    throw new Error('the disk is broken')
  })
  for (const [body, message] of [
    ['x\n{{ nothing }}', /^Template: undefined variable: nothing \(line 6\)$/],
    ['{% if %}', /^Template: .* \(line 5\)$/],
    ['\n\n{{ transcripts[0].text }}', /^Template: the disk is broken \(line 7\)$/],
  ] as const) {
    await assert.rejects(render(body, inputs, 5), isFailure(message))
  }
})

test('more templates than threads wait for each other, and each gets its own result', async () => {
  const { inputs } = createRecordedInputs()
  const numbers = Array.from({ length: 9 }, (_, i) => i)
  const texts = await Promise.all(
    numbers.map((i) => render(`${i} {{ transcripts[0].text | size }}`, inputs)),
  )
  assert.deepEqual(
    texts,
    numbers.map((i) => `${i} 48`),
  )
})

test('a thread that is stuck is replaced', async () => {
  await using renderer = createTemplateRenderer({ log, maxThreads: 1, stuckAfterMs: 0 })
  for (const again of [false, true]) {
    const rendering = renderer.render({ body: ENDLESS, bodyLine: 1 }, createSampleInputs())
    await assert.rejects(rendering, isFailure(LIMIT_EXCEEDED), String(again))
  }
})

test('a template that needs too much memory fails without harm to the next one', async () => {
  await using renderer = createTemplateRenderer({ log, maxThreads: 1, maxMemoryMb: 48 })
  const { inputs } = createRecordedInputs(async () => 'x'.repeat(4_000_000))
  const transcripts = Array.from({ length: 20 }, () => inputs.transcripts).flat()
  const renderAll = (body: string) =>
    renderer.render({ body, bodyLine: 1 }, { ...inputs, transcripts })
  await assert.rejects(
    renderAll('{% assign texts = transcripts | map: "text" %}'),
    isFailure(LIMIT_EXCEEDED),
  )
  assert.equal(await renderAll('ok'), 'ok')
})

test('a render that is stopped fails', async () => {
  const renderer = createTemplateRenderer({ log, maxThreads: 1 })
  const rendering = renderer.render({ body: ENDLESS, bodyLine: 1 }, createSampleInputs())
  const refused = assert.rejects(rendering, /the template worker was stopped/)
  await nextTurn()
  await renderer[Symbol.asyncDispose]()
  await refused
})

test('a disposed renderer starts no thread for renders that wait and for new ones', async () => {
  const renderer = createTemplateRenderer({ log, maxThreads: 1 })
  const start = () => renderer.render({ body: 'text', bodyLine: 1 }, createSampleInputs())
  const running = assert.rejects(start(), /the template worker was stopped/)
  const waiting = assert.rejects(start(), /the template renderer was stopped/)
  await renderer[Symbol.asyncDispose]()
  await Promise.all([running, waiting])
  await assert.rejects(start(), /the template renderer was stopped/)
})
