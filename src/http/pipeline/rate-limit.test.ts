import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { AuthenticatedSession } from '../../accounts/sign-in/sessions.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { enforceRateLimits } from './rate-limit.ts'

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
    sync: async () => {},
    async [Symbol.asyncDispose]() {},
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
