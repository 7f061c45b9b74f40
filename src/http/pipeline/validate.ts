import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { ServiceError, type ErrorDetail } from '../../errors.ts'
import { findNearestName } from '../../lib/text/nearest-name.ts'
import { addRouteHook } from './route-hook.ts'
import type { FastifyApp } from '../fastify-app.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It hands on what others said, and makes it fit to be kept itself. */
    allowsUnstorableText?: boolean
  }
  interface FastifyRequest {
    warnings: ErrorDetail[] | null
  }
}

/** Requests are parsed, never coerced; answers are encoded by their schema, so nothing leaves that it does not name. */
export function validateBySchema(app: FastifyApp): void {
  app.decorateRequest('warnings', null)
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (data) => {
    // No body at all is handed over as null.
    const parsed = schema.safeParse(httpPart === 'body' ? (data ?? undefined) : data)
    return parsed.success
      ? { value: parsed.data }
      : { error: toValidationError(parsed.error, httpPart) }
  })
  app.setSerializerCompiler<z.ZodType>(
    ({ schema }) =>
      (data) =>
        JSON.stringify(schema.encode(data)),
  )

  app.addHook('onRoute', (route) => {
    const { body, querystring, params } = route.schema ?? {}
    if (route.config?.allowsUnstorableText) return
    addRouteHook(route, 'preValidation', async (request: FastifyRequest) => {
      if (params !== undefined && findUnstorableText(request.params).length > 0)
        throw new ServiceError('not_found')
      const details = [
        ...(querystring === undefined ? [] : findUnstorableText(request.query)),
        ...(body === undefined ? [] : findUnstorableText(request.body)),
      ]
      if (details.length > 0) throw new ServiceError('invalid_request', { details })
    })
  })

  // Only the routes that read a body pay for this.
  app.addHook('onRoute', (route) => {
    const given = route.schema?.body
    const body = given instanceof z.ZodType ? unwrapOptional(given) : null
    if (!(body instanceof z.ZodObject)) return
    requireWarningsField(route)
    addRouteHook(route, 'preValidation', async (request: FastifyRequest) => {
      request.warnings = unknownFields(request.body, body)
    })
    addRouteHook(route, 'preSerialization', addWarnings)
  })
}

async function addWarnings(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!request.warnings?.length || reply.statusCode >= 400) return payload
  return { ...(payload as object), warnings: request.warnings }
}

/** An answer encoded by a schema without `warnings` would lose them without a word. */
function requireWarningsField({ url, schema }: RouteOptions): void {
  for (const [status, answer] of Object.entries(schema?.response ?? {})) {
    if (answer instanceof z.ZodObject && 'warnings' in answer.shape) continue
    throw new Error(`the answer ${status} of ${url} has no place for warnings`)
  }
}

/** Names the fields nobody reads, with the known one that was probably meant. */
export function unknownFields(given: unknown, schema: z.ZodObject, prefix = ''): ErrorDetail[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const known = Object.keys(schema.shape)
  return Object.keys(given).flatMap((name): ErrorDetail[] => {
    if (known.includes(name)) {
      const inner = unwrapOptional(schema.shape[name] as z.ZodType)
      return inner instanceof z.ZodObject
        ? unknownFields((given as Record<string, unknown>)[name], inner, `${prefix}${name}.`)
        : []
    }
    const meant = findNearestName(name, known)
    const message = `Unknown field, ignored${meant === null ? '' : `; did you mean ${prefix}${meant}?`}`
    return [{ path: `${prefix}${name}`, message }]
  })
}

function unwrapOptional(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptional(schema.unwrap() as z.ZodType)
    : schema
}

function toValidationError(error: z.ZodError, part: string | undefined): ServiceError {
  // A path with a name that nothing can have leads nowhere.
  const isNowhere = part === 'params' && error.issues.every(({ code }) => code === 'too_big')
  if (isNowhere) return new ServiceError('not_found')
  const details = error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.') || (part ?? 'body'),
    message,
  }))
  return new ServiceError('invalid_request', { details })
}

/** Texts with what no column takes: a NUL, or half of a pair that makes one character. */
function findUnstorableText(data: unknown, path = ''): ErrorDetail[] {
  if (typeof data === 'string') {
    if (data.isWellFormed() && !data.includes('\0')) return []
    return [{ path: path || 'body', message: 'Must not hold a NUL or half a surrogate pair' }]
  }
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, inner]) =>
    findUnstorableText(inner, path === '' ? name : `${path}.${name}`),
  )
}
