import type { FastifyRequest } from 'fastify'
import { ServiceError, invalidField } from '../../errors.ts'
import { runInThread, workerModuleUrl } from '../../lib/async/run-in-thread.ts'
import { sha256 } from '../../lib/crypto.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { MAX_TEXT_LENGTH, parseJsonBytes, type ParsedJson } from './parse-json.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The only field of the body with text that may be longer than an ordinary body. */
    longTextField?: string
    /** How many values the body may have, if not as many as usual. */
    maxJsonValues?: number
    /** What a caller should do whose body is not JSON, if not only send another header. */
    notJsonHint?: string
  }
}

export type LargeBodyInput = {
  bytes: Uint8Array
  longTextField: string | undefined
  maxValues: number | undefined
}
/** The result of the thread. */
export type LargeBody = { parsed: ParsedJson; digest: string }

const MAX_BYTES_ON_MAIN_THREAD = 512 * 1024
/** Far more time than the largest body needs. */
const THREAD_TIME_LIMIT_MS = 30_000

/** The SHA-256 digests of large bodies. */
const digests = new WeakMap<FastifyRequest, string>()

/** A media type that Fastify can parse. For any other, it answers 415 before it knows whether there is a body. */
const MEDIA_TYPE = /^\s*[^\s/;]+\/[^\s/;]+\s*(?:;|$)/

/**
 * Accepts only JSON bodies. An empty body of any type is treated as no body. A body that is nested too deeply or has
 * too many values is rejected without parsing.
 */
export function acceptOnlyJsonBodies(app: FastifyApp): void {
  app.addHook('onRequest', async ({ headers }) => {
    const type = headers['content-type']
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer) => parseJsonBody(request, body),
  )
  acceptOnlyEmptyBodies(app, ({ routeOptions: { config } }) => {
    const { notJsonHint: hint } = config
    return new ServiceError('unsupported_media_type', hint === undefined ? {} : { hint })
  })
}

/** Accepts an empty body of any type without a parser. Rejects every other body of such a type. */
export function acceptOnlyEmptyBodies(
  app: FastifyApp,
  createError: (request: FastifyRequest) => ServiceError,
): void {
  app.addContentTypeParser('*', (request: FastifyRequest, payload, done) => {
    const finish = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', finish)
      done(error, undefined)
    }
    const onData = (chunk: Buffer) => {
      if (chunk.length > 0) finish(createError(request))
    }
    const onEnd = () => finish(null)
    payload.on('data', onData).on('end', onEnd).on('error', finish)
  })
}

/** The value of a JSON body. A large body is parsed in a thread, because that can take longer than 100 ms. */
export async function parseJsonBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  const { longTextField, maxJsonValues: maxValues } = request.routeOptions.config
  let parsed: ParsedJson
  if (body.length > MAX_BYTES_ON_MAIN_THREAD) {
    // A body that shares its memory with other buffers is copied.
    const isAlone = body.byteLength === body.buffer.byteLength
    const bytes = new Uint8Array(isAlone ? (body.buffer as ArrayBuffer) : body)
    const input: LargeBodyInput = { bytes, longTextField, maxValues }
    const options = { maxMs: THREAD_TIME_LIMIT_MS, transfer: [bytes.buffer] }
    const worker = workerModuleUrl('parse-json-worker', import.meta.url)
    const large = await runInThread<LargeBody>(worker, input, options)
    digests.set(request, large.digest)
    parsed = large.parsed
  } else parsed = parseJsonBytes(body, longTextField, maxValues)
  if ('problem' in parsed) throw new ServiceError('invalid_json', parsed.problem)
  if ('longText' in parsed) {
    const message = `Must have at most ${MAX_TEXT_LENGTH.toLocaleString('en')} characters`
    throw invalidField(parsed.longText, message)
  }
  return parsed.value
}

/** Equal for requests with the same method, URL and body. Large bodies are compared by bytes, others by value. */
export function fingerprintOf(request: FastifyRequest): Buffer {
  const body = digests.get(request) ?? JSON.stringify(request.body) ?? ''
  return sha256(`${request.method} ${request.url}\n${body}`)
}
