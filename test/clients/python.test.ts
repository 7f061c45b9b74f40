import { strict as assert } from 'node:assert'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CALLBACK_ERRORS, CallbackError, verifyCallback } from 'hansard/receiver'
import type { OpenApiDocument } from '../../scripts/client-operations.ts'
import { generatePythonFiles } from '../../scripts/python-client.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { listCallbackCases, type CallbackCase } from '../receiver/callback-cases.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { canRun, runProgram } from '../support/service/run-program.ts'
import type { TestService } from '../support/service/start-service.ts'

const PACKAGE = join(INSTALLATION_FOLDER, 'clients/python')
const read = (path: string) => readFileSync(join(INSTALLATION_FOLDER, path), 'utf8')
const isPythonNew = 'import sys; sys.exit(sys.version_info < (3, 9))'
const isPythonMissing = !canRun(['python3', '-c', isPythonNew])
const skip = isPythonMissing && 'there is no Python 3.9 here'

let service: TestService
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-python-'))
  service = await startService()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

test('the operations, types and events of the Python client match the service', () => {
  const files = generatePythonFiles(service.openapi() as OpenApiDocument)
  assert.equal(Object.keys(files).length, 3)
  for (const [name, text] of Object.entries(files)) {
    assert.equal(read(name), text, 'run: node bin/with-node.mjs scripts/python-client.ts --write')
  }
})

test('the Python client has the version of the service', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  assert.ok(read('clients/python/pyproject.toml').includes(`\nversion = "${version}"\n`))
  assert.ok(
    read('clients/python/src/hansard_client/version.py').includes(`\nVERSION = "${version}"\n`),
  )
})

/** What the receiver of this repository says about a callback. */
function judge({ body, headers, secrets, toleranceSeconds, now }: CallbackCase): string {
  const raw = 'text' in body ? body.text : Buffer.from(body.base64, 'base64')
  try {
    verifyCallback(raw, headers, secrets, { toleranceSeconds, now })
    return 'accepted'
  } catch (error) {
    if (error instanceof CallbackError) return error.code
    throw error
  }
}

test('the tests of the Python client pass against a running service', { skip }, async () => {
  const { key, signingSecret } = await openMeetingsClient(service)
  const cases = listCallbackCases().map((one) => ({ ...one, expected: judge(one) }))
  const verdicts = new Set(cases.map(({ expected }) => expected))
  // A receiver throws the two other codes for mistakes of its program.
  const codes = Object.keys(CALLBACK_ERRORS).filter((code) => code !== 'body_not_raw')
  assert.deepEqual([...verdicts].toSorted(), ['accepted', ...codes].toSorted())
  const file = join(folder, 'callback-cases.json')
  writeFileSync(file, JSON.stringify({ cases, errors: CALLBACK_ERRORS }))
  const { code, stderr } = await runProgram(
    ['python3', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'],
    {
      cwd: PACKAGE,
      env: {
        PATH: process.env['PATH'] ?? '',
        PYTHONPATH: 'src',
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONIOENCODING: 'utf-8',
        HANSARD_TEST_URL: `http://127.0.0.1:${service.port}`,
        HANSARD_TEST_KEY: key['x-api-key'],
        HANSARD_TEST_SECRET: signingSecret,
        HANSARD_TEST_CALLBACKS: file,
      },
    },
  )
  assert.equal(code, 0, stderr)
  assert.match(stderr, /\nOK\n$/)
})
