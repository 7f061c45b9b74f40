import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { combineErrors, ServiceError, type ErrorDetail } from '../../errors.ts'
import { shortenName } from '../../lib/text/shorten-name.ts'
import { createIssueDescriber } from '../../lib/text/validation.ts'
import type { FastifyApp } from '../fastify-app.ts'
import {
  limitProblems,
  parseBody,
  pickValidFields,
  toDottedFieldPath,
  findUnknownFields,
  isJsonObject,
  unwrapOptionalAndNullable,
  dropNullOptionalFields,
} from './body-fields.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts text that PostgreSQL can't store, and checks or cleans it itself. */
    allowsUnstorableText?: boolean
    /**
     * Finds problems that only the area can see, in the valid fields of the body. Called if another field is invalid,
     * so that one response names all problems. In a valid body the handler finds them.
     */
    findFieldProblems?(fields: object, request: FastifyRequest): Promise<ServiceError[]>
  }
  interface FastifyRequest {
    /** Warnings about unknown fields of the request body. Null if the route has no body. */
    warnings: ErrorDetail[] | null
  }
}

type HookName = 'preValidation' | 'preHandler' | 'preSerialization' | 'onSend'
// Fastify's hook types differ in their arguments. Each caller knows the type that it adds.
type Hook = (...args: never[]) => Promise<unknown>

/** Parses requests without coercion. Encodes responses by schema, which drops every field that it does not name. */
export function registerSchemaValidation(app: FastifyApp): void {
  app.decorateRequest('warnings', null)
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (data) => {
    // The hook below has parsed the body. Fastify passes null if a request has none.
    if (httpPart === 'body') return { value: data ?? undefined }
    const parsed = schema.safeParse(data, { error: createIssueDescriber() })
    return parsed.success
      ? { value: parsed.data }
      : { error: toValidationError(parsed.error, httpPart, data) }
  })
  app.setSerializerCompiler<z.ZodType>(
    ({ schema }) =>
      (data) =>
        JSON.stringify(schema.encode(data)),
  )

  app.addHook('onRoute', (route) => {
    const { querystring, params } = route.schema ?? {}
    if (route.config?.allowsUnstorableText) return
    addRouteHook(route, 'preValidation', async (request: FastifyRequest) => {
      if (params !== undefined && findUnstorableText(request.params).length > 0)
        throw new ServiceError('not_found')
      const details =
        querystring === undefined ? [] : limitProblems(findUnstorableText(request.query))
      if (details.length > 0) throw new ServiceError('invalid_request', { details })
    })
  })

  app.addHook('onRoute', (route) => {
    const given = route.schema?.body
    if (!(given instanceof z.ZodType)) return
    const body = unwrapOptionalAndNullable(given)
    if (!(body instanceof z.ZodObject)) throw new Error(`the body of ${route.url} is not an object`)
    requireWarningsField(route)
    addRouteHook(route, 'preValidation', async (request: FastifyRequest) => {
      request.warnings = findUnknownFields(request.body, body)
      request.body = dropNullOptionalFields(request.body, body)
      request.body = await parseValidBody(request, given, body)
    })
    addRouteHook(route, 'preSerialization', addWarnings)
  })
}

/** Parses the body. Throws one error with all problems: of its form, and of the fields that the area checks. */
async function parseValidBody(
  request: FastifyRequest,
  schema: z.ZodType,
  object: z.ZodObject,
): Promise<unknown> {
  const { body, warnings } = request
  const { allowsUnstorableText, findFieldProblems } = request.routeOptions.config
  const unstorable = allowsUnstorableText ? [] : findUnstorableText(body)
  const unstorablePaths = new Set(unstorable.map(({ path }) => path))
  const { data, problems } = parseBody(body, schema, warnings ?? [])
  const details = [...unstorable, ...problems.filter(({ path }) => !unstorablePaths.has(path))]
  if (details.length === 0) return data
  const formError = new ServiceError('invalid_request', { details: limitProblems(details) })
  const validFields = pickValidFields(body, object, details)
  const fieldErrors = (await findFieldProblems?.(validFields, request)) ?? []
  throw combineErrors([formError, ...fieldErrors])
}

async function addWarnings(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  return reply.statusCode >= 400 ? payload : addUnknownFieldWarnings(request, payload as object)
}

/** Puts a warning for each unknown field of the request before the response's own warnings. */
export function addUnknownFieldWarnings(
  request: FastifyRequest,
  response: { warnings?: ErrorDetail[] },
): { [field: string]: unknown } {
  if (!request.warnings?.length) return response
  return { ...response, warnings: [...request.warnings, ...(response.warnings ?? [])] }
}

/** Encoding with a schema without the field `warnings` would silently drop the warnings. */
function requireWarningsField({ url, schema }: RouteOptions): void {
  for (const [status, response] of Object.entries(schema?.response ?? {})) {
    if (response instanceof z.ZodObject && 'warnings' in response.shape) continue
    throw new Error(`the schema of response ${status} of ${url} has no field warnings`)
  }
}

function toValidationError(
  error: z.ZodError,
  part: string | undefined,
  data: unknown,
): ServiceError {
  // No resource has a name longer than its schema allows, so a longer path parameter gets 404.
  const isTooLong = part === 'params' && error.issues.every(({ code }) => code === 'too_big')
  if (isTooLong) return new ServiceError('not_found')
  const details = error.issues.map(({ path, message }) => ({
    path: toDottedFieldPath(path) || (part ?? 'body'),
    message: isRepeated(data, part, path) ? 'Is given more than once: send it once' : message,
  }))
  return new ServiceError('invalid_request', { details: limitProblems(details) })
}

/** A query parameter that is given more than once arrives as an array. */
function isRepeated(
  data: unknown,
  part: string | undefined,
  [name]: readonly PropertyKey[],
): boolean {
  return part === 'querystring' && isJsonObject(data) && Array.isArray(data[String(name)])
}

/** Finds texts that PostgreSQL can't store, because they contain a NUL or an unpaired surrogate. */
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
  return Object.entries(data).flatMap(([name, inner]) => {
    const shown = shortenName(name)
    return findUnstorableText(inner, path === '' ? shown : `${path}.${shown}`)
  })
}

/** Adds a hook to one route, after its existing hooks. Call this in an `onRoute` hook. */
export function addRouteHook(route: RouteOptions, name: HookName, hook: Hook): void {
  const existing = (route[name] ?? []) as Hook | Hook[]
  Object.assign(route, { [name]: [existing, hook].flat() })
}
