import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { fastify } from 'fastify'
import type { FastifyApp } from '../../src/http/fastify-app.ts'
import { createSseSender, createOpenStreamCounter } from '../../src/http/pipeline/event-streams.ts'
import { createLog } from '../../src/log.ts'
import { assertError, sendRequest } from '../support/http/raw-requests.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

const PATH = '/api/v1/events/stream'
const headersOf = (apiKey: string, ip: string) => ({
  authorization: `Bearer ${apiKey}`,
  'x-forwarded-for': ip,
})

test('a caller, an address and the node may each have only so many streams open', async () => {
  await using service = await startService({
    HANSARD_STREAMS_PER_CALLER: '2',
    HANSARD_STREAMS_PER_ADDRESS: '3',
    HANSARD_STREAMS_PER_NODE: '4',
  })
  const ada = await service.adminClient()
  const keys = [await ada.createToken(), await ada.createToken(), await ada.createToken()]
  const [first = '', second = '', third = ''] = keys.map(({ apiKey }) => apiKey)
  const open = (apiKey: string, ip: string) => openStream(service.url, headersOf(apiKey, ip))
  const refusal = async (apiKey: string, ip: string) => {
    const answer = await sendRequest(service.url, { path: PATH, headers: headersOf(apiKey, ip) })
    assertError(answer, 429, 'too_many_requests')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    return answer.body['error']
  }

  const streams = [await open(first, '192.0.2.1'), await open(first, '192.0.2.1')]
  assert.match(String(await refusal(first, '192.0.2.2')), /^This caller has 2 event streams open/)
  streams.push(await open(second, '192.0.2.1'))
  assert.match(String(await refusal(third, '192.0.2.1')), /^This address has 3 event streams/)
  streams.push(await open(third, '192.0.2.9'))
  assert.match(String(await refusal(second, '192.0.2.7')), /^The service has 4 event streams/)

  // A closed stream makes space for another one.
  streams[0]?.destroy()
  const reopened = await eventually(async () => {
    try {
      return await open(first, '192.0.2.1')
    } catch {
      return null
    }
  })
  for (const stream of [...streams, reopened]) stream.destroy()
})

test('a stream whose client disconnected before it was sent is not counted', async () => {
  await using app = fastify()
  app.decorateRequest('token', null).decorateRequest('signedIn', null)
  const counter = createOpenStreamCounter({ perCaller: 1, perAddress: 1, perNode: 1 })
  const streams = createSseSender(
    app as unknown as FastifyApp,
    counter,
    { isAuthenticated: async () => true, requireAllowed: async () => undefined },
    createLog('silent'),
  )
  const arrived = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<boolean>()
  app.get(`${PATH}/late`, async (incoming, reply) => {
    arrived.resolve()
    await once(reply.raw, 'close')
    const answer = await streams.send(incoming, reply, neverEnding)
    sent.resolve(streams.abortSignalFor(reply).aborted)
    return answer
  })
  app.get(PATH, (incoming, reply) => streams.send(incoming, reply, neverEnding))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const leaving = request(`${url}${PATH}/late`, { agent: false }).on('error', () => undefined)
  leaving.end()
  await arrived.promise
  leaving.destroy()
  assert.equal(await sent.promise, true, 'the signal of the stream is aborted')
  const next = await openStream(url, {})
  next.destroy()
})

async function* neverEnding(signal: AbortSignal): AsyncGenerator<null> {
  yield null
  if (!signal.aborted) await once(signal, 'abort')
}

/** Opens a stream and waits for its headers. Rejects if the status is not 200. */
async function openStream(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request(`${url}${PATH}`, { headers, agent: false }, (response) => {
    response.on('error', () => undefined)
    if (response.statusCode === 200) return resolve(response)
    response.destroy()
    return reject(new Error(`status ${response.statusCode}`))
  })
  outgoing.on('error', reject).end()
  return promise
}
