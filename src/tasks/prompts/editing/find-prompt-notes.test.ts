import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { UserViewer } from '../../../access/viewer.ts'
import { createLog } from '../../../log.ts'
import { analyzeTemplate } from '../template/render-template.ts'
import { createTemplateRenderer } from '../template/template-renderer.ts'
import { checkPromptText, findKeyLine, createCheckPlaces } from './find-prompt-notes.ts'

test('the line of a setting is found, also below another setting and in quotes', () => {
  const text =
    '---\ndescription: model\n"model": x\noutput:\n  mode: new\n  path: y\ntools: [a]\n---\n'
  const lines = { description: 2, model: 3, output: 4, 'output.path': 6, 'tools.0': 7, none: 1 }
  for (const [path, line] of Object.entries(lines))
    assert.equal(findKeyLine(text, path), line, path)
})

test('a template is analyzed without names of its own, loops and fields of lists', () => {
  const body = `{% assign week = transcripts | since: "7d" %}
{% for one in week %}{{ one.anything }} {{ forloop.index }}{% endfor %}
{{ run.id }} {{ run.other }} {{ projects[0].id }}`
  assert.deepEqual(analyzeTemplate(body, 5), {
    variables: ['projects', 'run', 'transcripts'],
    unknown: [{ name: 'run.other', line: 7, message: 'There is no variable run.other' }],
  })
})

test('a long template with very many variables is refused before it is analyzed', () => {
  const line = '{{ meeting.title }}'
  assert.throws(() => analyzeTemplate(line.repeat(10_000), 1), {
    message: 'Template: too many variables for a text of this length',
  })
  assert.throws(() => analyzeTemplate(`{{ run.id | append: ${'run.id,'.repeat(20_000)} }}`, 1), {
    message: 'Template: too many variables for a text of this length',
  })
  const prose = 'Many words that are no variables. '.repeat(7_000)
  assert.deepEqual(analyzeTemplate(prose + line.repeat(100), 1).variables, ['meeting'])
})

test('a model that cannot be used is an error of a text that names it, and of no other text', async () => {
  await using renderer = createTemplateRenderer({ log: createLog('silent'), maxThreads: 1 })
  const check = async (text: string) => {
    const problem = { path: 'model', message: 'No API key for openai: set OPENAI_API_KEY' }
    const { notes } = await checkPromptText(text, renderer, () => [problem])
    return notes
  }
  assert.deepEqual(await check('---\ndescription: x\nmodel: openai/gpt-x\n---\nHello'), [
    { severity: 'error', line: 3, message: 'model: No API key for openai: set OPENAI_API_KEY' },
  ])
  assert.deepEqual(await check('---\ndescription: x\n---\nHello'), [])
})

test('one person takes only some of the places, and they are free again afterwards', async () => {
  const withPlace = createCheckPlaces()
  const viewerOf = (userId: string): UserViewer => ({
    kind: 'user',
    userId,
    role: 'member',
    projects: null,
  })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 4 }, () => withPlace(viewerOf('usr_a'), () => held))
  await assert.rejects(
    withPlace(viewerOf('usr_a'), async () => {}),
    { code: 'too_many_requests' },
  )
  assert.equal(await withPlace(viewerOf('usr_b'), async () => 'checked'), 'checked')
  release()
  await Promise.all(waiting)
  assert.equal(await withPlace(viewerOf('usr_a'), async () => 'checked'), 'checked')
})
