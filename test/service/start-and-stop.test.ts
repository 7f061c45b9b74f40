import { strict as assert } from 'node:assert'
import { chmodSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { Person } from '../support/person.ts'
import {
  makePlace,
  NEW_NODE,
  nothingLeft,
  oldNode,
  runProcess,
  startProcess,
  type Command,
} from '../support/process.ts'
import { makeUsedPlace } from '../support/used-place.ts'

/** Longer than the address of a Unix socket may be, with spaces and letters of several scripts. */
const LONG = `Sitzungen und Protokolle der Arbeitsgruppe für Überprüfung – 会議の記録 ${'x'.repeat(60)}`

const NODES: Record<string, Command> = { 'this Node': NEW_NODE, 'an older Node': oldNode() }

for (const [name, node] of Object.entries(NODES)) {
  test(`on ${name}, serve prints one box, answers, and each signal stops everything`, async () => {
    await using place = makePlace(LONG)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await using service = await startProcess(place.env, { node })
      const box = service.stdout()
      assert.equal(box.match(/╭/g)?.length, 1)
      assert.match(box, /Hansard +http:\/\/127\.0\.0\.1:\d+ /)
      assert.match(box, /Set up +http:\/\/127\.0\.0\.1:\d+\/setup#\w{43} /)
      assert.ok(box.includes(`Data      ${place.data}`))
      assert.match(box, /Database +PostgreSQL \d+\.\d+, inside the data folder/)
      assert.match(box, /Browser +\S+/)
      const { status, body } = await new Person(service.url).get('/healthz')
      assert.deepEqual([status, body['status']], [200, 'ok'])
      assert.ok(service.children().length > 1)

      const { code, tookMs } = await service.stop(signal)
      assert.equal(code, 0, service.stderr())
      assert.ok(tookMs < 10_000, `${signal} took ${tookMs} ms`)
      await nothingLeft(place.data)
      assert.equal(service.stdout(), box)
    }
  })
}

test('a second service on the same data folder is refused with the address of the first', async () => {
  await using place = await makeUsedPlace()
  await using service = await startProcess(place.env)
  const second = await runProcess(['serve'], place.env)

  assert.equal(second.code, 1)
  assert.ok(second.stderr.includes(place.data), second.stderr)
  assert.ok(second.stderr.includes(service.url), second.stderr)
  assert.doesNotMatch(second.stderr, /\n\s+at /)
  assert.equal((await new Person(service.url).get('/healthz')).status, 200)
})

test('of two services started together on a new data folder one serves and one is refused', async () => {
  await using place = makePlace()
  const outcomes = await Promise.allSettled([startProcess(place.env), startProcess(place.env)])
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
  assert.equal((await new Person(url).get('/readyz')).status, 200)
})

test('a data folder that was open to other accounts is closed by a start, which says so', async () => {
  await using place = await makeUsedPlace()
  chmodSync(place.data, 0o755)
  await using service = await startProcess(place.env)
  assert.equal(statSync(place.data).mode & 0o777, 0o700)
  assert.match(service.stderr(), /data folder was open to other accounts and is closed now/)
})

test('a client that never finishes its request does not keep the service from stopping in time', async () => {
  await using place = await makeUsedPlace()
  await using service = await startProcess(place.env)
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  using stack = new DisposableStack()
  stack.defer(() => socket.destroy())
  await once(socket, 'connect')
  socket.write('POST /web/sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
  socket.on('error', () => socket.destroy())
  assert.equal((await new Person(service.url).get('/healthz')).status, 200)

  const { tookMs } = await service.stop('SIGTERM')
  assert.ok(tookMs < 10_000, `it took ${tookMs} ms`)
  await nothingLeft(place.data)
})

test('SIGTERM to npm alone stops what npm start began', async () => {
  await using place = await makeUsedPlace()
  const npm = process.env['npm_execpath']
  const command: Command = npm?.endsWith('.js')
    ? [process.execPath, npm, 'start']
    : ['npm', 'start']
  await using service = await startProcess(place.env, { command })
  assert.equal((await new Person(service.url).get('/healthz')).status, 200)
  assert.notEqual(service.servicePid(), service.pid)

  const { tookMs } = await service.stop('SIGTERM')
  assert.ok(tookMs < 10_000, `it took ${tookMs} ms`)
  await nothingLeft(place.data)
})
