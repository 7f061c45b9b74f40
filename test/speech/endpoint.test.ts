import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import type {
  RecognizedUtterance,
  SpeechLoss,
  SpeechSession,
} from '../../src/bots/platforms/speech/recognition.ts'
import { createConcurrencyLimit } from '../../src/lib/async/queues.ts'
import { systemTimers } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { openSpeechArea } from '../../src/speech/area.ts'
import { createEndpointClient, EndpointFailure } from '../../src/speech/endpoint-client.ts'
import { openEndpointSession } from '../../src/speech/endpoint-session.ts'
import { SESSION_LIMITS, type SessionLimits, createSoundBudget } from '../../src/speech/sessions.ts'
import { requireEnv } from '../support/database/test-database.ts'

type Upload = { url: string; key: string | undefined; form: FormData }
type Answer = (response: ServerResponse, upload: Upload, count: number) => void

async function openEndpoint(answer: Answer) {
  const uploads: Upload[] = []
  const server = createServer((request, response) => {
    readUpload(request).then(
      (upload) => {
        uploads.push(upload)
        answer(response, upload, uploads.length)
      },
      // The session was disposed while it sent.
      (error: unknown) => assert.equal(request.errored, error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/`,
    uploads,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readUpload(request: IncomingMessage): Promise<Upload> {
  const body = Buffer.concat(await request.toArray())
  const type = String(request.headers['content-type'])
  const form = type.startsWith('multipart/')
    ? await new Response(body, { headers: { 'content-type': type } }).formData()
    : new FormData()
  return { url: request.url ?? '', key: request.headers.authorization, form }
}

const json =
  (text: string): Answer =>
  (response) =>
    response.end(JSON.stringify({ text }))

type OpenedSession = SpeechSession & { utterances: RecognizedUtterance[]; losses: SpeechLoss[] }

function openSession(
  url: string,
  { language = 'de-AT', limits = {} }: { language?: string; limits?: Partial<SessionLimits> } = {},
): OpenedSession {
  const utterances: RecognizedUtterance[] = []
  const losses: SpeechLoss[] = []
  const session = openEndpointSession({
    options: {
      language,
      onUtterance: (utterance) => void utterances.push(utterance),
      onLoss: (loss) => void losses.push(loss),
    },
    client: createEndpointClient(
      { url, model: 'small', apiKey: 'secret' },
      // Only prevents hanging. A request that is repeated because it was late would be counted.
      { requestMs: 60_000, retryMs: 600_000, backOffMs: 1 },
    ),
    limitRequests: createConcurrencyLimit(2),
    budget: createSoundBudget(600_000),
    limits: { ...SESSION_LIMITS, ...limits },
    timers: systemTimers,
    log: createLog('silent'),
  })
  return Object.assign(session, { utterances, losses })
}

/** A second of sound and a second of silence. */
function speak(session: SpeechSession, startsAt: number, voice = 'ada'): void {
  const samples = new Int16Array(32_000)
  for (let index = 0; index < 16_000; index += 1) samples[index] = index % 2 === 0 ? 4_000 : -4_000
  session.addSound({ voice, startsAt, samples })
}

test('each utterance is one WAV file with the model, the language and the key', async () => {
  using endpoint = await openEndpoint(json('Guten Tag'))
  await using session = openSession(endpoint.url)
  speak(session, 5_000)
  assert.equal(session.isBusy(), true)
  await session.finish()
  assert.equal(session.isBusy(), false)
  const [upload] = endpoint.uploads
  assert.ok(upload)
  assert.equal(upload.url, '/v1/audio/transcriptions')
  assert.equal(upload.key, 'Bearer secret')
  assert.deepEqual(
    ['model', 'language', 'response_format'].map((name) => upload.form.get(name)),
    ['small', 'de', 'json'],
  )
  const file = Buffer.from(await (upload.form.get('file') as File).arrayBuffer())
  assert.equal(file.toString('latin1', 0, 4), 'RIFF')
  assert.equal(file.readUInt32LE(24), 16_000)
  assert.equal(file.length, 44 + file.readUInt32LE(40))
  const [utterance] = session.utterances
  assert.equal(utterance?.text, 'Guten Tag')
  assert.equal(utterance?.startedAt, 5_000)
  assert.ok(Math.abs((utterance?.endedAt ?? 0) - 6_000) < 150)
})

test('429 and 5xx are retried; the text arrives once', async () => {
  using endpoint = await openEndpoint((response, _, count) => {
    if (count < 3) response.writeHead(count === 1 ? 429 : 503).end()
    else response.end('{"text":"done"}')
  })
  await using session = openSession(endpoint.url)
  speak(session, 0)
  await session.finish()
  assert.deepEqual(
    session.utterances.map(({ text }) => text),
    ['done'],
  )
  assert.equal(endpoint.uploads.length, 3)
  assert.deepEqual(session.losses, [])
})

/** Answers that lose their utterance, and the reason that people read. */
const BAD_ANSWERS: ReadonlyArray<{ name: string; answer: Answer; reason: RegExp; sent: number }> = [
  { name: 'HTML', answer: (response) => response.end('<html></html>'), reason: /JSON/, sent: 1 },
  { name: 'no text', answer: (response) => response.end('{"text":7}'), reason: /JSON/, sent: 1 },
  {
    name: 'far too much text',
    answer: json('so many words '.repeat(50)),
    reason: /more text than was said/,
    sent: 1,
  },
  {
    name: 'a huge body',
    answer: (response) => response.end('x'.repeat(3_000_000)),
    reason: /too long/,
    sent: 1,
  },
  {
    name: 'a redirect',
    answer: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    reason: /answered 307/,
    sent: 1,
  },
  {
    name: 'a wrong key',
    answer: (response) => response.writeHead(401).end(),
    reason: /answered 401\. Check HANSARD_SPEECH_API_KEY/,
    sent: 1,
  },
  {
    name: 'a closed connection',
    answer: (response) => response.destroy(),
    reason: /could not be reached/,
    sent: 4,
  },
]

for (const { name, answer, reason, sent } of BAD_ANSWERS) {
  test(`an endpoint that answers with ${name} loses one utterance and reports it`, async () => {
    using endpoint = await openEndpoint((response, upload, count) =>
      count <= sent ? answer(response, upload, count) : response.end('{"text":"next"}'),
    )
    await using session = openSession(endpoint.url)
    speak(session, 0)
    speak(session, 2_000)
    await session.finish()
    assert.match(session.losses.at(-1)?.reason ?? '', reason)
    assert.deepEqual(
      session.utterances.map(({ text, incompleteReason }) => [text, incompleteReason !== null]),
      [['next', true]],
    )
    assert.ok(endpoint.uploads.every(({ url }) => url === '/v1/audio/transcriptions'))
  })
}

test('an endpoint that never answers loses the sound after the time limit', async () => {
  using endpoint = await openEndpoint(() => undefined)
  const client = createEndpointClient(
    { url: endpoint.url, model: 'm', apiKey: undefined },
    { requestMs: 100, retryMs: 0, backOffMs: 1 },
  )
  const sound = { samples: new Int16Array(1_600), durationMs: 100, language: null }
  const { signal } = new AbortController()
  await assert.rejects(client.recognize(sound, signal), /did not answer in time/)
  await assert.rejects(client.probe(), EndpointFailure)
})

test('what waits longer than finish does is lost, and the caller is told', async () => {
  const arrived = Promise.withResolvers<void>()
  using endpoint = await openEndpoint(() => arrived.resolve())
  await using session = openSession(endpoint.url, { limits: { finishMs: 1 } })
  for (const voice of ['ada', 'bob', 'eve', 'joe']) {
    speak(session, 0, voice)
    session.endVoice(voice)
  }
  await arrived.promise
  await session.finish()
  // Two of them were being recognized, and are lost too.
  const { lostMs, reason } = session.losses.at(-1) ?? { lostMs: 0, reason: '' }
  assert.match(reason, /left before/)
  assert.ok(lostMs >= 4_000, String(lostMs))
})

test('the metrics say how late speech is recognized and how much is lost', async () => {
  const arrived = Promise.withResolvers<void>()
  using endpoint = await openEndpoint(() => arrived.resolve())
  await using area = openSpeechArea({
    settings: {
      isOn: true,
      dataFolder: requireEnv('TEST_SCRATCH'),
      workers: 1,
      endpoint: { url: endpoint.url, model: 'small', apiKey: undefined },
    },
    npm: { env: {}, installationFolder: '' },
    log: createLog('silent'),
  })
  const registry = new Registry()
  area.metrics.register(registry)
  const read = async (name: string) =>
    (await registry.getSingleMetric(`hansard_speech_${name}`)?.get())?.values[0]?.value ?? 0
  const session = area.recognition.openSession({
    language: 'de',
    onUtterance: () => undefined,
    onLoss: () => undefined,
  })
  speak(session, 0)
  session.endVoice('ada')
  await arrived.promise
  assert.ok((await read('behind_seconds')) > 0)
  assert.equal(await read('lost_seconds_total'), 0)
  await session[Symbol.asyncDispose]()
  assert.equal(await read('behind_seconds'), 0)
  assert.ok((await read('lost_seconds_total')) >= 1)
})

test('disposing a session aborts its request, and no other attempt follows', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  using endpoint = await openEndpoint((response) => arrived.resolve(response))
  const session = openSession(endpoint.url)
  speak(session, 0)
  session.endVoice('ada')
  const response = await arrived.promise
  await session[Symbol.asyncDispose]()
  if (!response.destroyed) await once(response, 'close')
  assert.equal(session.isBusy(), false)
  assert.equal(endpoint.uploads.length, 1)
})

test('a server that is down cannot be probed; one without a list of models can', async () => {
  const settings = { model: 'm', apiKey: undefined }
  const limits = { requestMs: 60_000, retryMs: 0, backOffMs: 1 }
  using endpoint = await openEndpoint((response) => response.writeHead(404).end())
  await createEndpointClient({ ...settings, url: endpoint.url }, limits).probe()
  await assert.rejects(
    createEndpointClient({ ...settings, url: 'http://127.0.0.2:81/v1' }, limits).probe(),
    // The readers of a meeting must not see the endpoint's address.
    { message: 'The speech endpoint could not be reached (ECONNREFUSED).' },
  )
})
