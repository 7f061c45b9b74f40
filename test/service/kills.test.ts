import { strict as assert } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostmaster } from '../../src/db/embedded/postmaster.ts'
import { ROOT } from '../../src/load-config.ts'
import { eventually } from '../support/eventually.ts'
import { Person } from '../support/person.ts'
import {
  killIfThere,
  makePlace,
  NEW_NODE,
  nothingLeft,
  oldNode,
  startProcess,
  type Running,
} from '../support/process.ts'
import { ADMIN } from '../support/service.ts'

const ROUNDS = 20
const MAKERS = 4

test('every acknowledged key survives twenty kill -9 while keys are being made', async () => {
  await using place = makePlace()
  const random = randomFrom(20)
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const node = round % 2 === 0 ? NEW_NODE : oldNode()
    await using service = await startProcess(place.env, { node })
    const ada = await enter(service)
    const before = acknowledged.length
    const makers = Array.from({ length: MAKERS }, () => makeTokens(ada, acknowledged))
    await eventually(() => (acknowledged.length > before ? true : null))
    await sleep(random() * 150)
    process.kill(service.servicePid(), 'SIGKILL')
    await Promise.all(makers)
    assert.equal((await service.exited).signal, 'SIGKILL')
    await nothingLeft(place.data)
  }

  await using service = await startProcess(place.env)
  const program = new Person(service.url)
  const refused: string[] = []
  while (acknowledged.length > 0) {
    const some = acknowledged.splice(0, 20)
    const answers = await Promise.all(
      some.map((apiKey) => program.get('/api/v1/token', { 'x-api-key': apiKey })),
    )
    refused.push(...some.filter((_, i) => answers[i]?.status !== 200))
  }
  assert.deepEqual(refused, [])
})

test('kill -9 of a launcher on an older Node stops the service it started', async () => {
  await using place = makePlace()
  await using service = await startProcess(place.env, { node: oldNode() })
  assert.notEqual(service.servicePid(), service.pid)
  service.kill('SIGKILL')
  await service.exited
  await nothingLeft(place.data)

  await using next = await startProcess(place.env, { node: oldNode() })
  assert.equal((await new Person(next.url).get('/readyz')).status, 200)
})

test('kill -9 at any moment of the first start leaves a folder that the next start can use', async () => {
  await using place = makePlace()
  for (const afterMs of [150, 300, 450, 600, 800, 1_000, 1_300]) {
    const child = spawn(process.execPath, [join(ROOT, 'bin/hansard.mjs'), 'serve'], {
      env: place.env,
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await sleep(afterMs)
    child.kill('SIGKILL')
    await exited
    // What set the database up may still be at it; a start right now must cope with that.
  }
  await using service = await startProcess(place.env)
  assert.equal((await new Person(service.url).get('/readyz')).status, 200)
  assert.notEqual((await enter(service)).csrfToken, null)
})

test('PostgreSQL killed under the service comes back, and the service never exits', async () => {
  await using place = makePlace()
  await using service = await startProcess(place.env)
  const ada = await enter(service)
  const { apiKey } = await ada.makeToken()
  const ask = () => new Person(service.url).get('/api/v1/token', { 'x-api-key': apiKey })
  const postmaster = () => readPostmaster(join(place.data, 'pg18'))?.pid ?? null
  const killed = postmaster()
  assert.ok(killed !== null)

  const began = performance.now()
  killIfThere(killed)
  const seen = new Set<number>()
  for (;;) {
    const isRestarted = postmaster() !== null && postmaster() !== killed
    const { status, body } = await ask()
    seen.add(status)
    if (isRestarted && status === 200) break
    if (status === 503) assert.equal(body.code, 'database_unavailable')
    assert.ok(performance.now() - began < 15_000, `no 200 in time; seen ${[...seen].join(', ')}`)
    await sleep(50)
  }
  assert.deepEqual(
    [...seen].filter((status) => status !== 200 && status !== 503),
    [],
  )
  assert.equal((await ada.post('/web/tokens', { name: 'after' })).status, 201)
  assert.equal((await new Person(service.url).get('/readyz')).status, 200)
  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 0, service.stderr())
  await nothingLeft(place.data)
  // With this number anybody on the machine could cancel the connection's statements.
  assert.doesNotMatch(service.stderr(), /"secretKey"/)
})

/** The first user: made by the link when there is one, else signed in. */
async function enter(service: Running): Promise<Person> {
  const person = new Person(service.url)
  const { email, password } = ADMIN
  const code = service.setupLink?.split('#')[1]
  const { status } =
    code === undefined
      ? await person.post('/web/sign-in', { email, password })
      : await person.post('/web/setup', { ...ADMIN, code })
  assert.ok(status === 200 || status === 201, `status ${status}`)
  return person
}

/** Until the service is gone. */
async function makeTokens(person: Person, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await person.post('/web/tokens', { name: 'load' })
      assert.equal(status, 201)
      acknowledged.push(String(body['apiKey']))
    } catch (error) {
      // What fetch throws when the other side is gone, at once or in the middle of an answer.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

/** The same numbers in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
