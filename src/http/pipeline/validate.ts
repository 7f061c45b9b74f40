import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { ServiceError, type ErrorDetail } from '../../errors.ts'
import { findNearestName } from '../../lib/text/nearest-name.ts'
import { addRouteHook } from './route-hook.ts'
import type { FastifyApp } from '../fastify-app.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts text that PostgreSQL cannot store and checks or cleans it without the pipeline. */
    allowsUnstorableText?: boolean
  }
  interface FastifyRequest {
    /** Warnings about unknown fields of the request body; null when the route has no body. */
    warnings: ErrorDetail[] | null
  }
}

/** Parses requests without coercion and encodes responses by their schema, which drops every field the schema does not name. */
export function registerSchemaValidation(app: FastifyApp): void {
  app.decorateRequest('warnings', null)
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (data) => {
    // Fastify passes null when a request has no body.
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

  // Only routes whose body is an object check for unknown fields.
  app.addHook('onRoute', (route) => {
    const given = route.schema?.body
    const body = given instanceof z.ZodType ? unwrapOptional(given) : null
    if (!(body instanceof z.ZodObject)) return
    requireWarningsField(route)
    addRouteHook(route, 'preValidation', async (request: FastifyRequest) => {
      request.warnings = findUnknownFields(request.body, body)
    })
    addRouteHook(route, 'preSerialization', addWarnings)
  })
}

async function addWarnings(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  return reply.statusCode >= 400 ? payload : addUnknownFieldWarnings(request, payload as object)
}

/** The response body with a warning for each unknown field of the request, before the warnings it has. */
export function addUnknownFieldWarnings(
  request: FastifyRequest,
  response: { warnings?: ErrorDetail[] },
): { [field: string]: unknown } {
  if (!request.warnings?.length) return response
  return { ...response, warnings: [...request.warnings, ...(response.warnings ?? [])] }
}

/** Encoding by a schema without the field `warnings` would silently drop the warnings. */
function requireWarningsField({ url, schema }: RouteOptions): void {
  for (const [status, response] of Object.entries(schema?.response ?? {})) {
    if (response instanceof z.ZodObject && 'warnings' in response.shape) continue
    throw new Error(`the schema of response ${status} of ${url} has no field warnings`)
  }
}

/** Names the fields of a request body that no schema names, each with the most similar known name. */
export function findUnknownFields(given: unknown, schema: z.ZodObject, prefix = ''): ErrorDetail[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const known = Object.keys(schema.shape)
  return Object.keys(given).flatMap((name): ErrorDetail[] => {
    if (known.includes(name)) {
      const inner = unwrapOptional(schema.shape[name] as z.ZodType)
      return inner instanceof z.ZodObject
        ? findUnknownFields((given as Record<string, unknown>)[name], inner, `${prefix}${name}.`)
        : []
    }
    const nearest = findNearestName(name, known)
    const message = `Unknown field, ignored${nearest === null ? '' : `; did you mean ${prefix}${nearest}?`}`
    return [{ path: `${prefix}${name}`, message }]
  })
}

function unwrapOptional(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptional(schema.unwrap() as z.ZodType)
    : schema
}

function toValidationError(error: z.ZodError, part: string | undefined): ServiceError {
  // No resource has a name longer than its schema allows, so a longer path parameter is a 404.
  const isTooLong = part === 'params' && error.issues.every(({ code }) => code === 'too_big')
  if (isTooLong) return new ServiceError('not_found')
  const details = error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.') || (part ?? 'body'),
    message,
  }))
  return new ServiceError('invalid_request', { details })
}

/** Finds texts that PostgreSQL cannot store: those with a NUL or with an unpaired surrogate. */
function findUnstorableText(data: unknown, path = ''): ErrorDetail[] {
  if (typeof data === 'string') {
    if (data.isWellFormed() && !data.includes('\0')) return []
    return [
      {
        path: path || 'body',
        message: 'Must not contain a NUL character or an unpaired surrogate',
      },
    ]
  }
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, inner]) =>
    findUnstorableText(inner, path === '' ? name : `${path}.${name}`),
  )
}
