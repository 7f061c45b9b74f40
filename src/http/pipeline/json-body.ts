import type { FastifyApp } from '../fastify-app.ts'
import { ServiceError } from '../../errors.ts'
import { errorMessageOf } from '../../lib/error-code.ts'

const MAX_DEPTH = 64
/** No request needs as many. Parsing and checking them takes far longer than reading a long text. */
const MAX_VALUES = 20_000

/** A media type that Fastify can parse. It answers 415 to every other one before it knows whether there is a body. */
const MEDIA_TYPE = /^\s*[^\s/;]+\/[^\s/;]+\s*(?:;|$)/

/**
 * Accepts only JSON bodies. An empty body of any type counts as no body; one that is nested too deeply or has too many values is
 * rejected unparsed.
 */
export function acceptOnlyJsonBodies(app: FastifyApp): void {
  app.addHook('onRequest', async ({ headers }) => {
    const type = headers['content-type']
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(decodeUtf8(body as Buffer)))
    } catch (error) {
      done(error as Error)
    }
  })
  acceptOnlyEmptyBodies(app, () => new ServiceError('unsupported_media_type'))
}

/** Accepts an empty body of every type that has no parser, and rejects every other body of such a type. */
export function acceptOnlyEmptyBodies(app: FastifyApp, createError: () => ServiceError): void {
  app.addContentTypeParser('*', (_request, payload, done) => {
    const finish = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', finish)
      done(error, undefined)
    }
    const onData = (chunk: Buffer) => {
      if (chunk.length > 0) finish(createError())
    }
    const onEnd = () => finish(null)
    payload.on('data', onData).on('end', onEnd).on('error', finish)
  })
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body without its byte order mark, if it has one. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ServiceError('invalid_json', {
      cause: error,
      text: 'The request body is not valid UTF-8',
      hint: 'Encode the JSON text as UTF-8',
    })
  }
}

export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined
  const problem = findStructureProblem(text)
  if (problem !== null)
    throw new ServiceError('invalid_json', { text: `The request body has more than ${problem}` })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ServiceError('invalid_json', {
      cause: error,
      hint: errorMessageOf(error).slice(0, 200),
    })
  }
}

function findStructureProblem(text: string): string | null {
  let depth = 0
  let commas = 0
  let isInString = false
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i)
    if (isInString) {
      if (char === 0x5c) i += 1
      else if (char === 0x22) isInString = false
    } else if (char === 0x22) isInString = true
    else if (char === 0x2c) commas += 1
    else if (char === 0x7b || char === 0x5b) depth += 1
    else if (char === 0x7d || char === 0x5d) depth -= 1
    if (depth > MAX_DEPTH) return `${MAX_DEPTH} levels of nesting`
    if (commas >= MAX_VALUES) return `${MAX_VALUES.toLocaleString('en')} values`
  }
  return null
}
