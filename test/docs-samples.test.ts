import { strict as assert } from 'node:assert'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Command } from 'commander'
import { parse } from 'yaml'
import { createProgram } from '../src/cli/program.ts'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import { canRun, runProgram, startProgram } from './support/service/run-program.ts'
import { systemNode } from './support/service/system-node.ts'
import { openMeetingsClient, startService } from './support/meetings/meetings-client.ts'
import type { TestService } from './support/service/start-service.ts'

const PATH = process.env['PATH'] ?? ''

type Sample = { file: string; language: string; text: string }

const SAMPLES: readonly Sample[] = globSync('{*.md,docs/*.md,examples/*.md}', {
  cwd: INSTALLATION_FOLDER,
}).flatMap((file) =>
  [
    ...readFileSync(join(INSTALLATION_FOLDER, file), 'utf8').matchAll(/^```(\w+)\n([^]*?)^```/gm),
  ].map(([, language = '', text = '']) => ({ file, language, text })),
)
const samplesIn = (...languages: string[]) =>
  SAMPLES.filter(({ language }) => languages.includes(language))

let service: TestService
let program: Awaited<ReturnType<typeof openMeetingsClient>>
let meetingId: string
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-samples-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'plan.md'), '# Plan\n')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(INSTALLATION_FOLDER, join(folder, 'node_modules/hansard'))
  service = await startService()
  program = await openMeetingsClient(service)
  meetingId = await program.start('practice://host-ends?speed=1000')
  await program.waitForStatus(meetingId)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Replaces what a reader would replace: the address, the key, the secret, the id. Practice meetings run faster. */
function fillIn(text: string): string {
  return text
    .replaceAll(
      /(?:http:\/\/)?(?:127\.0\.0\.1|localhost):8080/g,
      `http://127.0.0.1:${service.port}`,
    )
    .replaceAll('sk_…', program.key['x-api-key'])
    .replaceAll('ss_…', program.signingSecret)
    .replaceAll('MEETING_ID', meetingId)
    .replaceAll(/speed=\d+/g, 'speed=1000')
}

/** bash fails here like zsh if a pattern matches no file, such as an unquoted `?`. */
const SHELLS = {
  bash: 'set -eu; shopt -s failglob',
  zsh: 'set -eu',
}

for (const [shell, settings] of Object.entries(SHELLS)) {
  const missing = [shell, 'curl'].find((name) => !canRun([name, '--version']))
  test(
    `every sample with curl succeeds under ${shell}`,
    { skip: missing !== undefined && `there is no ${missing} here` },
    async () => {
      const samples = samplesIn('sh').filter(({ text }) => text.includes('curl '))
      assert.ok(samples.length >= 5)
      const cleanUp = ['/projects/sales/documents/notes/plan.md', '/tasks/digest']
      for (const path of cleanUp) await program.ask('DELETE', path)
      for (const { file, text } of samples) {
        const curl = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }'
        const env = { PATH, KEY: program.key['x-api-key'], URL: `http://127.0.0.1:${service.port}` }
        const script = `${settings}\n${curl}\n${fillIn(text)}`
        const ended = await runProgram([shell, '-c', script], { cwd: folder, env })
        assert.equal(ended.code, 0, `${file}: ${text}\n${JSON.stringify(ended)}`)
      }
    },
  )
}

test('every command in a sample exists, with its options', () => {
  const lines = samplesIn('sh').flatMap(({ file, text }) =>
    [...text.matchAll(/(?:^|\s)(?:node bin\/hansard\.mjs|hansard) ([^#\n]+)/gm)].map(
      ([, rest = '']) => ({ file, words: rest.trim().split(/\s+/) }),
    ),
  )
  assert.ok(lines.length > 10)
  const problems = lines.flatMap(({ file, words }) => {
    let command: Command = createProgram()
    for (const word of words)
      command = command.commands.find((one) => one.name() === word) ?? command
    const known = new Set(command.options.flatMap(({ long, short }) => [long, short]))
    const unknown = words.filter((word) => /^--?\w/.test(word) && !known.has(word))
    const isFound = command.parent !== null && command.commands.length === 0
    return isFound && unknown.length === 0 ? [] : [`${file}: ${words.join(' ')}`]
  })
  assert.deepEqual(problems, [])
})

test('every JSON and YAML sample can be parsed', () => {
  const readers: Record<string, (text: string) => unknown> = {
    json: (text) => JSON.parse(text),
    yaml: (text) => parse(text),
  }
  for (const { file, language, text } of samplesIn('json', 'yaml'))
    assert.doesNotThrow(() => readers[language]?.(text), `${file}: ${text}`)
})

test('every TypeScript and JavaScript sample passes the strict type check and runs', async () => {
  const samples = samplesIn('ts', 'js')
  assert.ok(samples.length >= 3)
  const names = samples.map((_, i) => `sample-${i}.ts`)
  for (const [i, { text }] of samples.entries()) writeFileSync(join(folder, `sample-${i}.ts`), text)
  const typeRoots = join(INSTALLATION_FOLDER, 'node_modules/@types')
  const flags = ['--noEmit', '--strict', '--noUnusedLocals', '--noUncheckedIndexedAccess']
  const more = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const tsc = join(INSTALLATION_FOLDER, 'node_modules/typescript/bin/tsc')
  const { stdout } = await runProgram(
    [process.execPath, tsc, ...flags, ...more, '--typeRoots', typeRoots, ...names],
    { cwd: folder },
  )
  assert.equal(stdout, '')
  for (const [i, { file, text }] of samples.entries()) {
    const path = join(folder, `sample-${i}.ts`)
    writeFileSync(path, fillIn(text).replace('listen(3000)', LISTEN_ON_FREE_PORT))
    if (text.includes('createServer')) await exerciseReceiver(path)
    else assert.match((await runOn(process.execPath, path)).stdout, /\S/, file)
  }
})

const LISTEN_ON_FREE_PORT = `listen(0, function () { console.log('port', this.address().port) })`

/** Starts a receiver and waits until all callbacks of a meeting were delivered to it. */
async function exerciseReceiver(path: string): Promise<void> {
  await using receiver = startProgram([process.execPath, path])
  const [, port] = await receiver.waitForOutput(/^port (\d+)\n/)
  const callbackUrl = `http://127.0.0.1:${port}/`
  const id = await program.start('practice://host-ends?speed=1000', { callbackUrl })
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  await receiver.waitForOutput(/document_saved/)
}

async function runOn(node: string, path: string) {
  const ended = await runProgram([node, path])
  assert.equal(ended.code, 0, ended.stderr)
  return ended
}

test('a copy of the receiver folder works with require and import in a CommonJS project', async () => {
  const project = join(folder, 'commonjs')
  cpSync(join(INSTALLATION_FOLDER, 'receiver'), join(project, 'receiver'), { recursive: true })
  cpSync(join(INSTALLATION_FOLDER, 'client'), join(project, 'client'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{ "type": "commonjs" }')
  const use = `console.log(receiver.sign('x', 'ss_1'), typeof receiver.CallbackError)`
  const programs = {
    'required.js': `const receiver = require('./receiver'); ${use}`,
    'imported.js': `import('./receiver/index.js').then((receiver) => import('./client/index.js').then(() => ${use}))`,
  }
  const nodes = [process.execPath, ...(systemNode === undefined ? [] : [systemNode])]
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(project, name), text)
    for (const node of nodes) {
      const { stdout } = await runOn(node, join(project, name))
      assert.match(stdout, /^sha256=[0-9a-f]{64} function\n$/, name)
    }
  }
})
