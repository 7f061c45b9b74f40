import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { createNetworkPolicy } from '../../src/network/network-policy.ts'
import { createOtlpSender } from '../../src/telemetry/otlp-sender.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { openOtlpCollector, settingsFor } from '../support/otlp-collector.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

const clock = { now: () => new Date() }
const BODY = Buffer.from('{}')

function createSender(timeoutMs: number, ownPorts: number[] = []) {
  const lines: Array<{ level: number; reason?: string }> = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const policy = createNetworkPolicy({
    level: 'private-ok',
    allow: [],
    deny: [],
    ownPorts: () => ownPorts,
  })
  const options = { headers: {}, contentType: 'application/json', timeoutMs, ca: undefined }
  const sender = createOtlpSender({ ...options, policy, clock, log })
  return { sender, lines, reasons: () => lines.map(({ reason }) => reason) }
}

const answer = (status: number, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => void response.writeHead(status, headers).end()
}

test('an export is sent again after 429, 503 and a cut connection, and then the outage is over in the log', async () => {
  await using collector = await openOtlpCollector()
  const { sender, reasons } = createSender(60_000)
  await using _ = sender
  const answers = [
    answer(429, { 'retry-after': '0' }),
    answer(503, { 'retry-after': '0' }),
    (response: ServerResponse) => void response.socket?.destroy(),
    answer(200),
  ]
  collector.setAnswer((response) => answers.shift()?.(response))
  assert.equal(await sender.send(`${collector.endpoint}/v1/traces`, BODY), true)
  assert.equal(answers.length, 0)
  assert.deepEqual(reasons(), [])
})

test('a refused export is dropped at once, and an outage is logged once', async () => {
  await using collector = await openOtlpCollector()
  const { sender, lines, reasons } = createSender(60_000)
  await using _ = sender
  for (const status of [400, 401, 500, 302])
    for (const path of ['traces', 'metrics']) {
      collector.setAnswer(answer(status, { location: 'http://169.254.169.254/' }))
      assert.equal(await sender.send(`${collector.endpoint}/v1/${path}`, BODY), false)
    }
  assert.equal(collector.requests.length, 8)
  assert.deepEqual(reasons(), ['the collector answered 400'])
  collector.setAnswer(answer(200))
  assert.equal(await sender.send(`${collector.endpoint}/v1/traces`, BODY), true)
  assert.deepEqual(
    lines.map(({ level }) => level),
    [40, 30],
  )
})

test('an answer without an end, and one that never comes, end with the time limit or the stop', async () => {
  await using collector = await openOtlpCollector()
  const url = `${collector.endpoint}/v1/traces`
  collector.setAnswer((response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(1 << 20)
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  const short = createSender(60_000)
  // More than the limit of an answer is not read: the status has arrived.
  assert.equal(await short.sender.send(url, BODY), true)
  await short.sender[Symbol.asyncDispose]()
  await collector.allClosed()

  collector.setAnswer(() => {})
  const late = createSender(50)
  assert.equal(await late.sender.send(url, BODY), false)
  assert.deepEqual(late.reasons(), ['timeout'])
  await late.sender[Symbol.asyncDispose]()

  const stopped = createSender(3_600_000)
  const before = collector.requests.length
  const sending = stopped.sender.send(url, BODY)
  await eventually(() => (collector.requests.length > before ? true : null))
  await stopped.sender[Symbol.asyncDispose]()
  assert.equal(await sending, false)
  assert.deepEqual(stopped.reasons(), [])
})

test('a hurried sender does not wait for another attempt', async () => {
  await using collector = await openOtlpCollector()
  const { sender, reasons } = createSender(3_600_000)
  await using _ = sender
  collector.setAnswer(answer(503, { 'retry-after': '1800' }))
  const sending = sender.send(`${collector.endpoint}/v1/traces`, BODY)
  await eventually(() => (collector.requests.length > 0 ? true : null))
  sender.hurry(60_000)
  assert.equal(await sending, false)
  assert.deepEqual(reasons(), ['the collector answered 503'])
})

test('nothing is sent to this service itself or to a metadata service', async () => {
  await using collector = await openOtlpCollector()
  const { sender, reasons } = createSender(60_000, [collector.port])
  await using _ = sender
  assert.equal(await sender.send(`${collector.endpoint}/v1/traces`, BODY), false)
  assert.equal(await sender.send('http://169.254.169.254/v1/traces', BODY), false)
  assert.equal(collector.requests.length, 0)
  assert.match(reasons()[0] ?? '', /is this service itself/)
})

test('a service works, delivers and stops while its collector hangs', async () => {
  await using collector = await openOtlpCollector()
  collector.setAnswer(() => {})
  {
    await using service = await startService(settingsFor(collector))
    const program = await openMeetingsClient(service)
    const meetingId = await program.start('practice://standup?speed=100')
    const { status } = await program.waitForStatus(meetingId)
    assert.equal(status, 'ended')
  }
  assert.ok(collector.requests.length > 0)
  await collector.allClosed()
})

/** The modules that are loaded with this one, as they are named in imports. */
function listStaticImports(file: string, found = new Set<string>()): Set<string> {
  const imports = readFileSync(file, 'utf8').matchAll(
    /(?:^|\n)(?:import|export)\s+(?!type\b)[^'"]*?from\s+'([^']+)'/g,
  )
  for (const [, name = ''] of imports) {
    const path = name.startsWith('.') ? join(dirname(file), name) : name
    if (found.has(path)) continue
    found.add(path)
    if (path !== name) listStaticImports(path, found)
  }
  return found
}

test('without a collector, the service loads nothing for traces', () => {
  const service = join(import.meta.dirname, '../../src/app/service.ts')
  const loaded = [...listStaticImports(service)]
  assert.ok(loaded.length > 500)
  const ofTelemetry = (name: string) => /^@opentelemetry|src\/telemetry\//.test(name)
  assert.deepEqual(loaded.filter(ofTelemetry), [])
  const telemetry = join(import.meta.dirname, '../../src/telemetry/telemetry.ts')
  assert.ok([...listStaticImports(telemetry)].some(ofTelemetry))
})
