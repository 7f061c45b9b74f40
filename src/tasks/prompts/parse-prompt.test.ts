import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parsePrompt, type ParsedPrompt, type PromptProblem } from './parse-prompt.ts'
import { isPromptName } from './prompt-name.ts'

function read(text: string): ParsedPrompt | PromptProblem[] {
  return parsePrompt(Buffer.from(text))
}

function parseValid(text: string): ParsedPrompt {
  const parsed = read(text)
  assert.ok(!Array.isArray(parsed), JSON.stringify(parsed))
  return parsed
}

function problems(file: string | Uint8Array): string[] {
  const parsed = typeof file === 'string' ? read(file) : parsePrompt(file)
  assert.ok(Array.isArray(parsed), `accepted: ${JSON.stringify(parsed)}`)
  return parsed.map(({ path, message }) => `${path}: ${message}`)
}

function problemsOfSettings(...lines: string[]): string[] {
  return problems(['---', ...lines, '---', 'Say hello.'].join('\n'))
}

test('a file without front matter is a prompt with the default settings', () => {
  const { settings, body } = parseValid('Sum up the week.\n')
  assert.equal(body, 'Sum up the week.\n')
  assert.deepEqual(settings, {
    maxOutputTokens: 4096,
    tools: ['list_projects', 'list_documents', 'read_document', 'search_documents'],
    maxSteps: 12,
    project: 'api',
    projects: [],
    output: { save: true, mode: 'new' },
    retries: 0,
    maxTokens: 200_000,
  })
})

test('every key of the front matter is parsed, and the prompt text begins after it', () => {
  const { settings, body } = parseValid(`---
description: What happened
model: openai-compatible/meta/llama-4
temperature: 0.2
maxOutputTokens: 800
tools: []
maxSteps: 3
project: Sales
projects: "*"
output:
  save: false
  path: weekly/summary.md
  mode: append
retries: 3
catchUp: skip
maxTokens: 5000
builtin: action-items
---
# The text
---
goes on`)
  assert.equal(body, '# The text\n---\ngoes on')
  assert.deepEqual(settings, {
    description: 'What happened',
    model: 'openai-compatible/meta/llama-4',
    temperature: 0.2,
    maxOutputTokens: 800,
    tools: [],
    maxSteps: 3,
    project: 'Sales',
    projects: '*',
    output: { save: false, path: 'weekly/summary.md', mode: 'append' },
    retries: 3,
    catchUp: 'skip',
    maxTokens: 5000,
    builtin: 'action-items',
  })
})

test('byte order marks, Windows line ends and empty front matter are accepted', () => {
  assert.equal(parseValid('\ufeff---\r\nretries: 1\r\n---\r\nHello\r\n').settings.retries, 1)
  assert.equal(parseValid('---\r\nretries: 1\r\n---\r\nHello\r\n').body, 'Hello\r\n')
  assert.equal(parseValid('---\n---\nHello').body, 'Hello')
  assert.equal(parseValid('----\nHello').body, '----\nHello')
  assert.equal(parseValid('---\nbuiltin: stats\n---\n').body, '')
})

test('an unknown key is a problem that suggests the most similar key', () => {
  assert.deepEqual(problemsOfSettings('modle: openai/x', 'quux: 1'), [
    'modle: Unknown key; did you mean model?',
    'quux: Unknown key',
  ])
  assert.deepEqual(problemsOfSettings('output:', '  pth: a.md'), [
    'output.pth: Unknown key; did you mean path?',
  ])
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.match(problemsOfSettings(`${key}: 1`).join(), new RegExp(`^${key}: Unknown key`))
  }
  assert.ok(problemsOfSettings(`${'k'.repeat(1000)}: 1`).join().length < 100)
  const many = Array.from({ length: 2000 }, (_, index) => `key${index}: 1`)
  assert.equal(problemsOfSettings(...many).length, 20)
})

test('a value of the wrong type or size is a problem of its key', () => {
  const wrong = `
    description: [a] | model: gpt | model: unknown/x | model: openai/ | model: "openai/a b"
    temperature: 2.1 | temperature: "1" | temperature: .nan | maxOutputTokens: 0 | maxOutputTokens: 1.5
    tools: read_document | tools: ["rm -rf"] | tools: [[]] | maxSteps: 0 | maxSteps: 101 | maxSteps: .inf
    project: ../x | project: "" | project: 5 | projects: all | projects: [a/b] | projects: ["*"]
    output: yes | output: {save: yes} | output: {mode: replace} | output: {path: /etc/x.md}
    output: {path: ../x.md} | output: {path: a/../b.md} | output: {path: a//b.md} | output: {path: a.txt}
    output: {path: 'a\\b.md'} | output: {path: "a\\0.md"} | output: {path: "C:x.md"} | output: {path: .md}
    retries: 4 | retries: -1 | catchUp: always | catchUp: true | maxTokens: 0 | maxTokens: 1e99
    builtin: magic | builtin: | model: | description: | output: | tools: null | retries: 1_000`
  for (const line of wrong.split(/[|\n]/).map((text) => text.trim())) {
    if (line === '') continue
    const [key] = line.split(':')
    for (const problem of problemsOfSettings(line))
      assert.match(problem, new RegExp(`^${key}\\b`), line)
  }
})

test('all problems of the front matter are reported together', () => {
  const said = problemsOfSettings('retries: 9', 'builtin: magic', 'output:', '  mode: x', 'typo: 1')
  assert.deepEqual(said.map((problem) => problem.replace(/:.*/s, '')).toSorted(), [
    'builtin',
    'output.mode',
    'retries',
    'typo',
  ])
})

test('malicious front matter is refused and executes nothing', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x]']
  for (const name of 'bcdefghi') {
    const last = String.fromCharCode(name.charCodeAt(0) - 1)
    bomb.push(`${name}: &${name} [${Array.from({ length: 8 }, () => `*${last}`).join()}]`)
  }
  const attacks = [
    '---js\n{ description: globalThis.hansardWasHere = true }\n---\nx',
    '---json\n{"retries": 1}\n---\nx',
    '---\n!!js/function "function () { globalThis.hansardWasHere = true }"\n---\nx',
    '---\ndescription: !!js/eval globalThis.hansardWasHere = true\n---\nx',
    `---\n${bomb.join('\n')}\n---\nx`,
    '---\ndescription: &a x\nmodel: *a\n---\nx',
    '---\nretries: 1\nretries: 2\n---\nx',
    '---\n"retries": 1\nretries: 2\n---\nx',
    '---\noutput: {save: true, save: false}\n---\nx',
    '---\n- a\n- b\n---\nx',
    '---\njust text\n---\nx',
    '---\nretries: 1\nno end',
    '---\rretries: 1\r---\rx',
    '\n\n---\nretries: 1\n---\nx',
    '--- \u00a0\nretries: 1\n---\nx',
    `---\ndescription: ${'x'.repeat(70_000)}\n---\nx`,
    `---\n${'['.repeat(20_000)}\n---\nx`,
    '---\n<<: {retries: 1}\n---\nx',
    '---\n%YAML 9.9\n---\nretries: 1\n---\nx',
  ]
  for (const attack of attacks) assert.ok(problems(attack).length > 0)
  assert.ok(!('hansardWasHere' in globalThis))
})

test('a prompt file that is not UTF-8 text is refused', () => {
  const utf16 = Buffer.from('Say hello.', 'utf16le')
  const files: Array<[file: Uint8Array, start: string]> = [
    [Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), ': The file is not text in UTF-8'],
    [utf16, ': The file has control characters'],
    [utf16.swap16(), ': The file has control characters'],
    [Buffer.from('caf\u00e9', 'latin1'), ': The file is not text in UTF-8'],
    [Buffer.from([0xc0, 0xaf]), ': The file is not text in UTF-8'],
    [Buffer.from([0xed, 0xa0, 0x80]), ': The file is not text in UTF-8'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ': The file is not text'],
    [Buffer.from('a\0b'), ': The file has control characters'],
    [Buffer.from('\u001b[2Jhello'), ': The file has control characters'],
    [Buffer.from(''), ': The prompt is empty'],
    [Buffer.from(' \n\t\n'), ': The prompt is empty'],
    [Buffer.from('---\nretries: 1\n---\n \n'), ': The prompt is empty'],
  ]
  for (const [file, start] of files) {
    const said = problems(file)
    assert.ok(said.length === 1 && said[0]?.startsWith(start), said.join())
  }
})

test('any bytes parse to a prompt or to a list of problems', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '---\n',
      '---',
      'retries: 1\n',
      'output:\n',
      '  save: ',
      '*a',
      '&a',
      '{',
      '\n',
      'x',
      '\0',
    ),
  )
  const files = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    pieces.map((parts) => Buffer.from(parts.join(''))),
  )
  fc.assert(
    fc.property(files, (bytes) => {
      const parsed = parsePrompt(bytes)
      if (Array.isArray(parsed)) assert.ok(parsed.length > 0)
      else assert.ok(parsed.body.trim() !== '' || parsed.settings.builtin !== undefined)
    }),
  )
})

test('a prompt name consists of letters, digits, hyphens and underscores, separated by slashes', () => {
  const right = ['a', '7', 'daily-digest', 'Team_1/weekly', 'a/b/c', 'x'.repeat(128)]
  const wrong = `. .. ../a a/../b a/./b /a a/ a//b -a _a a/-b a.md a\\b C:a a%2fb ~ .hidden a/.b ä ａ`
  for (const name of right) assert.ok(isPromptName(name), name)
  for (const name of [
    ...wrong.split(' '),
    '',
    ' ',
    'a b',
    'a\n',
    'a\0',
    'x'.repeat(129),
    'a/'.repeat(1e6),
  ]) {
    assert.ok(!isPromptName(name), name.slice(0, 20))
  }
})
