import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { eventually } from '../support/time/eventually.ts'
import { canRun, runProgram, startProgram, type Command } from '../support/service/run-program.ts'
import { systemNode, skipWithoutSystemNode } from '../support/service/system-node.ts'
import { MEETING_ID, NEXT_SECRET, SECRET, sampleBody, headersFor } from './sample-callbacks.ts'

const PATH = process.env['PATH'] ?? ''
/** With the Node of the system, if there is one that is older than ours. */
const JAVASCRIPT: Command = [
  systemNode ?? process.execPath,
  join(INSTALLATION_FOLDER, 'examples/receiver-javascript/receiver.mjs'),
]
const PYTHON: Command = [
  'python3',
  join(INSTALLATION_FOLDER, 'examples/receiver-python/receiver.py'),
]
const VERIFY = join(INSTALLATION_FOLDER, 'examples/receiver-shell/verify.sh')

const TOO_LARGE = 1024 * 1024 + 1

const isNewPython = 'import sys; sys.exit(sys.version_info < (3, 8))'
const withoutPython = canRun(['python3', '-c', isNewPython]) ? false : 'there is no Python 3.8 here'
const withoutOpenssl = canRun(['openssl', 'version']) ? false : 'there is no openssl here'

type Receiver = AsyncDisposable & {
  post(body: string, headers: Record<string, string>): Promise<number>
  /** Sends a request with this Content-Length, with the body if there is one, and returns the status. */
  sendSized(size: number, body: string): Promise<number | undefined>
  lines(): string[]
  errors(): string
}

function folderFor(t: TestContext, prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts an example on a free port and waits until it prints its URL. */
async function startReceiver(command: Command, secret: string): Promise<Receiver> {
  const env = { PATH, SIGNING_SECRET: secret, PORT: '0' }
  const program = startProgram(command, { env, cwd: INSTALLATION_FOLDER })
  const [, url = ''] = await program.waitForOutput(/^Listening on (\S+)\n/)
  return {
    errors: () => program.stderr(),
    lines: () => program.stdout().trimEnd().split('\n').slice(1),
    async post(body, headers) {
      const response = await fetch(url, { method: 'POST', body, headers })
      await response.arrayBuffer()
      return response.status
    },
    async sendSized(size, body) {
      const request = http.request(url, { method: 'POST', headers: { 'content-length': size } })
      request.flushHeaders()
      request.write(body)
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      request.destroy()
      return response.statusCode
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}

/** Sends a valid, several invalid, a repeated and a last callback. The last one shows that the repeated one printed nothing. */
async function exercise(command: Command): Promise<void> {
  await using receiver = await startReceiver(command, `${NEXT_SECRET} ${SECRET}`)
  const [first, second, third] = [sampleBody(0), sampleBody(2), sampleBody(4)]
  assert.equal(await receiver.post(first, headersFor(first)), 204)
  assert.equal(await receiver.post(second, headersFor(second)), 204)
  assert.equal(await receiver.post(second.replace('First', 'Last'), headersFor(second)), 401)
  const otherwise = { ...headersFor(third, 'ss_other'), 'X-Service-Meeting-Id': MEETING_ID }
  assert.equal(await receiver.post(third, otherwise), 401)
  assert.equal(await receiver.post(third, {}), 401)
  assert.equal(await receiver.post(third, { 'X-Service-Signature': 'sha256=\u00e9' }), 401)
  assert.equal(await receiver.post(second, headersFor(second)), 204)
  assert.equal(await receiver.post(third, headersFor(third, NEXT_SECRET)), 204)

  const lines = await eventually(() => {
    const lines = receiver.lines()
    return lines.some((line) => line.includes('document_saved')) ? lines : null
  })
  assert.deepEqual(
    lines.map((line) => line.split(' ').slice(0, 3).join(' ')),
    [
      `${MEETING_ID} 1 meeting_status`,
      `${MEETING_ID} 3 segment_finalized`,
      `${MEETING_ID} 5 document_saved`,
    ],
  )
  const refusals = await eventually(() => {
    const refusals = receiver.errors().trimEnd().split('\n')
    return refusals.length === 4 ? refusals : null
  })
  for (const line of refusals) assert.match(line, /^Refused \[.*\] with 401: The signature /)
  assert.match(refusals[1] ?? '', /Is SIGNING_SECRET the secret of the token/)
  assert.ok(refusals[1]?.includes(MEETING_ID))
  assert.match(refusals[2] ?? '', /header is missing$/)
}

test('the JavaScript example handles each valid event once and rejects invalid ones', async () => {
  await exercise(JAVASCRIPT)
})

test(
  'the Python example handles each valid event once and rejects invalid ones',
  { skip: withoutPython },
  async () => {
    await exercise(PYTHON)
  },
)

test('the JavaScript example rejects a body larger than 1 MiB', async () => {
  await using receiver = await startReceiver(JAVASCRIPT, SECRET)
  assert.equal(await receiver.sendSized(TOO_LARGE, 'x'.repeat(TOO_LARGE)), 413)
})

test(
  'the Python example rejects a body larger than 1 MiB without reading it',
  { skip: withoutPython },
  async () => {
    await using receiver = await startReceiver(PYTHON, SECRET)
    assert.equal(await receiver.sendSized(TOO_LARGE, ''), 413)
    assert.equal(await receiver.sendSized(1e15, ''), 413)
  },
)

test('the JavaScript example does not start without a secret', async () => {
  const { code, stderr } = await runProgram(JAVASCRIPT)
  assert.deepEqual([code, stderr], [1, 'SIGNING_SECRET is not set\n'])
})

test('the Python example does not start without a secret', { skip: withoutPython }, async () => {
  const { code, stderr } = await runProgram(PYTHON)
  assert.deepEqual([code, stderr.trim()], [1, 'SIGNING_SECRET is not set'])
})

test(
  'the shell example accepts a valid signature and rejects a forged one',
  { skip: withoutOpenssl },
  async (t) => {
    const folder = folderFor(t, 'verify ')
    const file = join(folder, 'a body.json')
    const body = sampleBody(2)
    writeFileSync(file, body)
    const signature = headersFor(body)['x-service-signature'] ?? ''
    const verify = async (secret: string, ...args: string[]) => {
      const env = { PATH, SIGNING_SECRET: secret }
      return (await runProgram(['sh', VERIFY, ...args], { env })).code
    }
    assert.equal(await verify(SECRET, file, signature), 0)
    assert.equal(await verify(`${NEXT_SECRET} ${SECRET}`, file, signature), 0)
    assert.equal(await verify(NEXT_SECRET, file, signature), 1)
    assert.equal(await verify(SECRET, file, signature.toUpperCase()), 1)
    assert.equal(await verify(SECRET, file, ''), 1)
    assert.equal(await verify(SECRET, file), 2)
    assert.equal(await verify('', file, signature), 2)
    assert.equal(await verify(SECRET, join(folder, 'missing'), signature), 2)
    writeFileSync(file, `${body}\n`)
    assert.equal(await verify(SECRET, file, signature), 1)
  },
)

test(
  'a copy of the receiver folder works with the Node version of the system',
  { skip: skipWithoutSystemNode },
  async (t) => {
    const folder = folderFor(t, 'kit-')
    cpSync(join(INSTALLATION_FOLDER, 'receiver'), join(folder, 'receiver'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(folder, 'check.js'),
      `import { CallbackError, verifyCallback } from './receiver/index.js'
    const [body, headers, secret] = process.argv.slice(2)
    const signed = new Headers(JSON.parse(headers))
    const options = { toleranceSeconds: 300, now: 1000 * signed.get('webhook-timestamp') }
    console.log(verifyCallback(Buffer.from(body), signed, secret, options).type)
    try {
      verifyCallback(body, signed, 'ss_other')
    } catch (error) {
      console.log(error instanceof CallbackError, error.code)
    }`,
    )
    const body = sampleBody(2)
    const args = [join(folder, 'check.js'), body, JSON.stringify(headersFor(body)), SECRET]
    const { stdout, stderr } = await runProgram([systemNode ?? '', ...args])
    assert.equal(stderr, '')
    assert.equal(stdout, 'segment_finalized\ntrue bad_signature\n')
  },
)
