import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserSource } from '../../src/bots/browser/launch/find-browser.ts'
import { launchBrowser } from '../../src/bots/browser/launch/launch-browser.ts'
import { isPidAlive } from '../../src/bots/browser/launch/profile.ts'
import { PROCESS_ENV_AND_HOME } from '../../src/config/load-config.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { createLog } from '../../src/log.ts'
import { acceptWebSocket } from '../../stage/server/web-socket.ts'

const VERSION = {
  product: 'Chrome/140.0.0.0',
  userAgent: 'Chrome',
  revision: '',
  protocolVersion: '1.3',
  jsVersion: '',
}
/** The first command after Playwright has connected. */
const FIRST_COMMAND = 'Target.attachToBrowserTarget'

function launch(source: BrowserSource) {
  return launchBrowser({
    source,
    mode: 'shell',
    args: ['--no-sandbox'],
    proxy: null,
    host: PROCESS_ENV_AND_HOME,
    cache: tmpdir(),
    log: createLog('silent'),
    knownIsolations: new Map(),
    answerTimeoutMs: 1,
  })
}

test(
  'a browser that hangs right after its start is killed, and its bot gets an error with a fix',
  { skip: process.platform !== 'linux' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-hung-'))
    chmodSync(folder, 0o777)
    const program = join(folder, 'headless-shell')
    const answer = `{"id":%s,"result":${JSON.stringify(VERSION)}}\\0`
    const script = `#!/bin/bash
      echo $$ > ${folder}/pid
      while IFS= read -r -d '' command <&3; do
        case "$command" in *${FIRST_COMMAND}*) kill -STOP $$ ;; esac
        id=\${command#*'"id":'}
        printf '${answer}' "\${id%%,*}" >&4
      done`
    writeFileSync(program, script)
    chmodSync(program, 0o755)
    await assert.rejects(
      launch({ kind: 'program', path: program, from: 'configured' }),
      (error) => {
        assert.ok(error instanceof OperatorError)
        assert.match(error.message, /does not answer/)
        assert.ok(error.fix)
        return true
      },
    )
    assert.equal(isPidAlive(Number(readFileSync(join(folder, 'pid'), 'utf8'))), false)
    rmSync(folder, { recursive: true })
  },
)

test("the operator's own Chrome that stops answering is given up", async () => {
  const server = createServer()
  server.on('upgrade', (request, socket) => {
    const connection = acceptWebSocket(request, socket, (text) => {
      const { id, method, sessionId } = JSON.parse(text) as Record<string, unknown>
      if (method !== FIRST_COMMAND)
        connection.send(JSON.stringify({ id, sessionId, result: VERSION }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = `ws://127.0.0.1:${port}/`
  await assert.rejects(
    launch({ kind: 'remote', endpoint, from: 'configured' }),
    /no browser answer/,
  )
  server.close()
  await once(server, 'close')
})
