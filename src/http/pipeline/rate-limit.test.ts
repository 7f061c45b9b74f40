import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { AuthenticatedSession } from '../../accounts/sign-in/sessions.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLog } from '../../log.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { createHttpServer } from '../server.ts'
import { enforceRateLimits, SIGN_IN_REQUESTS_PER_MINUTE } from './rate-limit.ts'

test('the requests of a signed-in user are limited over all sessions of that user', async () => {
  const app = Fastify() as unknown as FastifyApp
  app.decorateRequest('token', null)
  app.decorateRequest('signedIn', null)
  app.addHook('onRequest', async (request) => {
    const id = request.headers['x-test-user']
    request.signedIn = { user: { id } } as AuthenticatedSession
  })
  const used = new Map<string, number>()
  const counts = {
    add(scope: string) {
      used.set(scope, (used.get(scope) ?? 0) + 1)
      return used.get(scope) ?? 0
    },
  }
  const limits = { requests: 1, starts: 1 }
  const sessionLimits = { requests: 2, starts: 1 }
  enforceRateLimits(app, { limits, sessionLimits, counts, clock: systemClock })
  app.setErrorHandler((error: { code?: string }, _, reply) => reply.code(429).send(error.code))
  app.get('/', async () => 'ok')
  app.get('/start', { config: { rateLimit: 'starts' } }, async () => 'ok')
  const ask = async (user: string, url = '/') =>
    (await app.inject({ url, headers: { 'x-test-user': user } })).statusCode
  assert.deepEqual([await ask('ada'), await ask('ada'), await ask('ada')], [200, 200, 429])
  assert.deepEqual([await ask('bob', '/start'), await ask('bob', '/start')], [200, 429])
  await app.close()
})

test('requests of an address to routes without sign-in are limited before their body is read', async () => {
  const app = await createHttpServer({
    log: createLog('silent'),
    trustProxy: ['127.0.0.1'],
    isClosing: () => false,
    authorizeUnknownPath: async () => {},
  })
  const counted = new Map<string, number>()
  const counts = {
    add(scope: string) {
      const count = (counted.get(scope) ?? SIGN_IN_REQUESTS_PER_MINUTE - 1) + 1
      counted.set(scope, count)
      return count
    },
  }
  enforceRateLimits(app, { limits: { requests: 1, starts: 1 }, counts, clock: systemClock })
  app.post('/sign-in', { config: { access: 'same_site' } }, async () => 'done')
  const send = async (ip: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/sign-in',
      headers,
      payload: '{broken',
    })
    return statusCode
  }
  assert.equal(await send('192.0.2.1'), 400)
  assert.equal(await send('192.0.2.1'), 429)
  assert.equal(await send('192.0.2.2'), 400)
  await app.close()
})
