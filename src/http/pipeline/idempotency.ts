import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ServiceError, invalidField } from '../../errors.ts'
import { type Clock, addSecondsToDate } from '../../lib/time/clock.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { fingerprintOf } from './json-body.ts'
import { addRouteHook, addUnknownFieldWarnings } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route accepts an Idempotency-Key. Only `idempotentPost` of a surface's routes sets it. */
    idempotent?: boolean
  }
}

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** A running request keeps its key by renewing it. Another may take it over a minute after the last renewal. */
const RENEW_AFTER_MS = 15_000

/** Proof that a running request owns its Idempotency-Key. A request that takes over the key raises the fence. */
type IdempotencyClaim = { tokenId: string; key: string; fence: number }

type IdempotencyClaimOutcome =
  | { kind: 'claimed'; claim: IdempotencyClaim }
  | { kind: 'in_progress' }
  | { kind: 'fingerprint_mismatch' }
  | { kind: 'completed'; status: number; body: string }

/** After this time another request may take over the key, because the first request's node has probably died. */
const CLAIM_SECONDS = 60
const RETENTION_SECONDS = 24 * 3_600

/** The claims of requests with an Idempotency-Key that run on this node. */
const claims = new WeakMap<FastifyRequest, IdempotencyClaim>()
/** Functions that start the renewal of a claim and return how to stop it. */
const renewals = new WeakMap<FastifyRequest, () => () => void>()

/** Claims a request's Idempotency-Key before its handler runs. A repeated request gets the saved response. */
export function registerIdempotencyHooks(app: FastifyApp, parts: { db: Db; clock: Clock }): void {
  const claimKey = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = readIdempotencyKey(request)
    if (key === null || request.token === null) return
    const outcome = await claimIdempotencyKey(
      parts.db,
      parts.clock.now(),
      request.token.id,
      key,
      fingerprintOf(request),
    )
    if (outcome.kind === 'claimed') {
      claims.set(request, outcome.claim)
      renewals.set(request, () => startRenewal(parts, outcome.claim, request.log))
    } else if (outcome.kind === 'completed')
      await sendSavedResponse(reply, outcome.status, outcome.body)
    else if (outcome.kind === 'in_progress') throw requestInProgress()
    else throw new ServiceError('idempotency_mismatch')
  }

  const releaseAfterError = async (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ) => {
    const claim = claims.get(request)
    // A request that failed before its commit has no effect, so the client may use its key again.
    if (claim !== undefined && reply.statusCode >= 400) {
      claims.delete(request)
      await releaseIdempotencyKey(parts.db, claim)
    }
    return payload
  }

  app.addHook('onRoute', (route) => {
    if (!route.config?.idempotent) return
    // Runs after validation, so an invalid request never claims its key.
    addRouteHook(route, 'preHandler', claimKey)
    addRouteHook(route, 'onSend', releaseAfterError)
  })
}

function startRenewal(
  { db, clock }: { db: Db; clock: Clock },
  claim: IdempotencyClaim,
  log: FastifyBaseLogger,
): () => void {
  const timer = setInterval(() => {
    renewIdempotencyClaim(db, clock.now(), claim).catch((error: unknown) =>
      log.warn({ err: error }, 'failed to renew an Idempotency-Key'),
    )
  }, RENEW_AFTER_MS)
  return () => clearInterval(timer)
}

type IdempotentHandler<Result> = {
  /** HTTP status of the response to a successful request. */
  status: number
  /** Handles the request. Calls `beforeCommit` in the transaction that stores the effect. */
  run(
    request: FastifyRequest,
    beforeCommit: (tx: Db, result: Result) => Promise<void>,
  ): Promise<unknown>
  toResponse(result: Result, request: FastifyRequest): object
}

/**
 * The handler of a route that accepts an Idempotency-Key. The response is stored in the transaction of the effect, so a
 * crash leaves both or neither. A request that lost its key to a newer one rolls back its effect.
 */
export function createIdempotentHandler<Result>(
  url: string,
  { status, run, toResponse }: IdempotentHandler<Result>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let body: string | undefined
    const stopRenewal = renewals.get(request)?.() ?? (() => undefined)
    await run(request, async (tx, result) => {
      const response = addUnknownFieldWarnings(request, toResponse(result, request))
      body = String(reply.serializeInput(response, String(status)))
      const claim = claims.get(request)
      if (claim === undefined) return
      if (!(await saveIdempotentResponse(tx, claim, status, body))) throw requestInProgress()
    }).finally(stopRenewal)
    if (body === undefined) throw new Error(`POST ${url} did not call beforeCommit`)
    return sendJson(reply, status, body)
  }
}

function requestInProgress(): ServiceError {
  return new ServiceError('request_in_progress', { retryAfterSeconds: 1 })
}

function sendSavedResponse(reply: FastifyReply, status: number, body: string): FastifyReply {
  return sendJson(reply.header('idempotent-replayed', 'true'), status, body)
}

/** Sends a response body that is already encoded as JSON. */
function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body)
}

function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  if (key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return key
  const message = `Must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`
  throw invalidField('Idempotency-Key', message)
}

export async function claimIdempotencyKey(
  db: Db,
  now: Date,
  tokenId: string,
  key: string,
  fingerprint: Buffer,
): Promise<IdempotencyClaimOutcome> {
  const claimed_until = addSecondsToDate(now, CLAIM_SECONDS)
  const claimed = await db
    .insertInto('idempotent_request')
    .values({ token_id: tokenId, key, fingerprint, fence: 1, claimed_until, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['token_id', 'key'])
        .doUpdateSet({ fence: sql`idempotent_request.fence + 1`, claimed_until })
        .where('idempotent_request.status', 'is', null)
        .where('idempotent_request.claimed_until', '<', now)
        .where('idempotent_request.fingerprint', '=', fingerprint),
    )
    .returning('fence')
    .executeTakeFirst()
  if (claimed !== undefined) {
    return { kind: 'claimed', claim: { tokenId, key, fence: claimed.fence } }
  }

  const row = await db
    .selectFrom('idempotent_request')
    .select(['fingerprint', 'status', 'body'])
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row !== undefined && !row.fingerprint.equals(fingerprint))
    return { kind: 'fingerprint_mismatch' }
  if (row?.status == null || row.body === null) return { kind: 'in_progress' }
  return { kind: 'completed', status: row.status, body: row.body }
}

/** Keeps the key of a long request. Has no effect after another request has taken it over. */
export async function renewIdempotencyClaim(
  db: Db,
  now: Date,
  { tokenId, key, fence }: IdempotencyClaim,
): Promise<void> {
  await db
    .updateTable('idempotent_request')
    .set({ claimed_until: addSecondsToDate(now, CLAIM_SECONDS) })
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .where('fence', '=', fence)
    .where('status', 'is', null)
    .execute()
}

/** Returns false if another request has taken over the Idempotency-Key. The caller must then roll back its effect. */
async function saveIdempotentResponse(
  db: Db,
  claim: IdempotencyClaim,
  status: number,
  body: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotent_request')
    .set({ status, body })
    .where('token_id', '=', claim.tokenId)
    .where('key', '=', claim.key)
    .where('fence', '=', claim.fence)
    .where('status', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function releaseIdempotencyKey(db: Db, claim: IdempotencyClaim): Promise<void> {
  await db
    .deleteFrom('idempotent_request')
    .where('token_id', '=', claim.tokenId)
    .where('key', '=', claim.key)
    .where('fence', '=', claim.fence)
    .where('status', 'is', null)
    .execute()
}

export async function deleteExpiredIdempotentRequests(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotent_request')
    .where('created_at', '<', addSecondsToDate(now, -RETENTION_SECONDS))
    .execute()
}
