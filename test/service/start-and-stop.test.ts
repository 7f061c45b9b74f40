import { strict as assert } from 'node:assert'
import { chmodSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { setupLinkPath } from '../../src/app/setup-link-file.ts'
import { eventually } from '../support/time/eventually.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  createTestDataFolder,
  waitForNoProcesses,
  findOlderNode,
  startServiceProcess,
  type Command,
} from '../support/service/service-process.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'

/** A folder name that is too long for a Unix socket address, with spaces and several scripts. */
const LONG = `Sitzungen und Protokolle der Arbeitsgruppe für Überprüfung – 会議の記録 ${'x'.repeat(60)}`

test('on an older Node, serve prints its address, takes access to the data folder from other accounts, answers requests and stops on SIGTERM', async () => {
  await using folder = await createInitializedDataFolder(LONG)
  chmodSync(folder.data, 0o755)
  await using service = await startServiceProcess(folder.env, { node: findOlderNode() })
  const box = service.stdout()
  assert.equal(box.match(/╭/g)?.length, 1)
  assert.match(box, /Hansard +http:\/\/127\.0\.0\.1:\d+ /)
  assert.ok(box.includes(`Set up    by the link in ${setupLinkPath(folder.data)}`))
  assert.match(service.setupLink ?? '', /^http:\/\/127\.0\.0\.1:\d+\/setup#\w{43}$/)
  assert.ok(box.includes(`Data      ${folder.data}`))
  assert.match(box, /Database +PostgreSQL \d+\.\d+, inside the data folder/)
  assert.match(box, /Browser +\S+/)
  assert.equal(statSync(folder.data).mode & 0o777, 0o700)
  assert.match(service.stderr(), /removed access of other accounts to the data folder/)
  const { status, body } = await new HttpClient(service.url).get('/healthz')
  assert.deepEqual([status, body['status']], [200, 'ok'])
  assert.ok(service.listProcesses().length > 1)

  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 0, service.stderr())
  // A service that reaches its limit of 9.5 s ends without this line.
  assert.match(service.stderr(), /service stopped/)
  await waitForNoProcesses(folder.data)
  assert.equal(service.stdout(), box)
})

async function sendUnfinishedRequest(url: string): Promise<Disposable> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => socket.destroy())
  socket.write('POST /web/sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
  // A later request is answered after the service has read the unfinished one.
  assert.equal((await new HttpClient(url).get('/healthz')).status, 200)
  return { [Symbol.dispose]: () => void socket.destroy() }
}

test('one of two services started together on a new data folder is refused, so is a later one, and the first stops on SIGINT', async () => {
  await using folder = createTestDataFolder(LONG)
  const outcomes = await Promise.allSettled([
    startServiceProcess(folder.env),
    startServiceProcess(folder.env),
  ])
  await using stack = new AsyncDisposableStack()
  const started = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  for (const service of started) stack.use(service)
  const [refusal] = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [String(one.reason)] : [],
  )

  assert.equal(started.length, 1, refusal)
  assert.match(refusal ?? '', /already running on the data folder/)
  assert.doesNotMatch(refusal ?? '', /node:internal/)
  const url = started[0]?.url ?? ''
  const later = await runLoadedCommand(['serve'], folder.env)
  assert.equal(later.code, 1)
  assert.ok(later.stderr.includes(folder.data), later.stderr)
  assert.ok(later.stderr.includes(url), later.stderr)
  assert.doesNotMatch(later.stderr, /\n\s+at /)
  assert.equal((await new HttpClient(url).get('/readyz')).status, 200)

  // The service closes its connection after a few seconds.
  using _ = await sendUnfinishedRequest(url)
  assert.equal((await started[0]?.stop('SIGINT'))?.code, 0, started[0]?.stderr())
  assert.match(started[0]?.stderr() ?? '', /service stopped/)
  await waitForNoProcesses(folder.data)
})

test('SIGTERM to npm alone stops the service that npm start started', async () => {
  await using folder = await createInitializedDataFolder()
  const npm = process.env['npm_execpath']
  const command: Command = npm?.endsWith('.js')
    ? [process.execPath, npm, 'start']
    : ['npm', 'start']
  await using service = await startServiceProcess(folder.env, { command })
  assert.equal((await new HttpClient(service.url).get('/healthz')).status, 200)
  assert.notEqual(service.servicePid(), service.pid)

  await service.stop('SIGTERM')
  // A service that reaches its limit of 9.5 s ends without this line.
  await eventually(() => (service.stderr().includes('service stopped') ? true : null))
  await waitForNoProcesses(folder.data)
})
