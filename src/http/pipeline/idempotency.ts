import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { sha256 } from '../../lib/crypto/digest.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../db/database.ts'
import { addRouteHook } from './route-hook.ts'
import {
  claimIdempotencyKey,
  releaseIdempotencyKey,
  saveResponse,
  type IdempotencyClaim,
} from './idempotency-store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes an Idempotency-Key. */
    idempotent?: boolean
  }
  interface FastifyRequest {
    /**
     * Set while a request with an Idempotency-Key runs. A handler saves its answer in the transaction of
     * its effect, so that after a crash there is either both or neither.
     */
    idempotencyClaim: IdempotencyClaim | null
  }
}

const MAX_KEY_LENGTH = 255

/** The one place for `Idempotency-Key`: the same key and request get the saved answer, on every node. */
export function handleIdempotencyKeys(
  app: FastifyApp,
  parts: { db: Db; clock: Clock; log: Log },
): void {
  app.decorateRequest('idempotencyClaim', null)

  const claim = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = readIdempotencyKey(request)
    if (key === null || request.token === null) return
    const fingerprint = requestFingerprint(request)
    const outcome = await claimIdempotencyKey(
      parts.db,
      parts.clock.now(),
      request.token.id,
      key,
      fingerprint,
    )
    if (outcome.kind === 'mine') {
      request.idempotencyClaim = outcome.claim
      return
    }
    if (outcome.kind === 'other') throw new ServiceError('idempotency_mismatch')
    if (outcome.kind === 'running')
      throw new ServiceError('request_in_progress', { retryAfterSeconds: 1 })
    await sendSavedResponse(reply, outcome.status, outcome.body)
  }

  const save = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const mine = request.idempotencyClaim
    if (mine === null) return payload
    request.idempotencyClaim = null
    const body = storableBody(payload)
    // A refusal began nothing: the corrected request, or the same one later, may use the key.
    if (reply.statusCode >= 400 || body === null) await releaseIdempotencyKey(parts.db, mine)
    else if (!(await saveResponse(parts.db, mine, reply.statusCode, body))) {
      parts.log.warn(
        { tokenId: mine.tokenId },
        'answer not kept: saved before, or the claim was lost',
      )
    }
    return payload
  }

  app.addHook('onRoute', (route) => {
    if (!route.config?.idempotent) return
    // After validation: a request that is refused for its form leaves nothing behind.
    addRouteHook(route, 'preHandler', claim)
    addRouteHook(route, 'onSend', save)
  })
}

function sendSavedResponse(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)
}

function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  if (key.length >= 1 && key.length <= MAX_KEY_LENGTH) return key
  throw new ServiceError('invalid_request', {
    details: [{ path: 'Idempotency-Key', message: `Must have 1 to ${MAX_KEY_LENGTH} characters` }],
  })
}

function requestFingerprint(request: FastifyRequest): Buffer {
  return sha256(`${request.method} ${request.url}\n${JSON.stringify(request.body) ?? ''}`)
}

/** An answer that can be kept: a stream cannot. */
function storableBody(payload: unknown): string | null {
  if (payload === null || payload === undefined) return ''
  if (Buffer.isBuffer(payload)) return payload.toString('utf8')
  return typeof payload === 'string' ? payload : null
}
