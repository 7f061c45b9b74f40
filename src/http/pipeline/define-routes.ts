import { strict as assert } from 'node:assert'
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'
import type { z } from 'zod'
import type { Viewer } from '../../access/viewer.ts'
import type { AuthenticatedSession } from '../../accounts/sign-in/sessions.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { SuccessResponse } from '../shapes/common.ts'
import { describePathParameters, type PathParameters } from '../shapes/path-parameters.ts'
import type { ApiSurface, SurfaceRule } from './access/api-surfaces.ts'
import { createIdempotentHandler } from './idempotency.ts'

/** What a handler knows about its caller, because the access check ran before it. */
type FromViewer = { viewer: Viewer }
/** A request to a route that needs an API key or a session. */
export type ApiRequest = FastifyRequest & FromViewer
type FromUser = FromViewer & { signedIn: AuthenticatedSession }

type ParsedRequest<Caller, Path extends string, Params, Query, Body> = FastifyRequest &
  Caller & {
    params: PathParameters<Path> & z.output<Params>
    query: z.output<Query>
    body: z.output<Body>
  }

type Declaration<Params, Query, Body, Response> = FastifyContextConfig &
  Pick<RouteShorthandOptions, 'bodyLimit' | 'exposeHeadRoute' | 'preParsing'> & {
    /** The error text for a larger body than `bodyLimit`, where that is not the limit of other routes. */
    tooLargeText?: string
    /** Whom the surface lets call the route. By default `read` for GET, and `change` for other methods. */
    allows?: SurfaceRule
    summary?: string
    description?: string
    /** Only for parameters that PATH_PARAMETERS does not describe. */
    params?: Params
    query?: Query
    body?: Body
    /** The schema of a successful response. A route without one sends its response itself. */
    response?: Response
    /** HTTP status of a successful response, 200 by default. With several, the handler sets it. */
    status?: number | readonly number[]
  }

/** A handler of a route that only reports success may return nothing. */
type Answer<Response> =
  | z.output<Response>
  | FastifyReply
  | (z.output<typeof SuccessResponse> extends z.output<Response> ? void : never)

type Route<Caller, Path extends string, Params, Query, Body, Response> = Declaration<
  Params,
  Query,
  Body,
  Response
> & {
  handler(
    request: ParsedRequest<Caller, Path, Params, Query, Body>,
    reply: FastifyReply,
  ): Promise<Answer<Response>> | Answer<Response>
}

type IdempotentRoute<Caller, Path extends string, Params, Body, Response, Result> = Declaration<
  Params,
  z.ZodType,
  Body,
  Response
> & {
  response: Response
  /** Handles the request. Calls `beforeCommit` in the transaction that stores the effect. */
  run(
    request: ParsedRequest<Caller, Path, Params, z.ZodType, Body>,
    beforeCommit: (tx: Db, result: Result) => Promise<void>,
  ): Promise<unknown>
  toResponse(
    result: Result,
    request: ParsedRequest<Caller, Path, Params, z.ZodType, Body>,
  ): z.output<Response>
}

type AddRoute<Caller> = <
  const Path extends string,
  Response extends z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
>(
  path: Path,
  route: Route<Caller, Path, Params, Query, Body, Response>,
) => void

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

type Routes<Caller> = Record<(typeof METHODS)[number], AddRoute<Caller>> & {
  /** A POST route that accepts an Idempotency-Key. */
  idempotentPost<
    const Path extends string,
    Response extends z.ZodType,
    Result,
    Params extends z.ZodType = z.ZodType,
    Body extends z.ZodType = z.ZodType,
  >(
    path: Path,
    route: IdempotentRoute<Caller, Path, Params, Body, Response, Result>,
  ): void
}

/** Adds routes under the prefix of a surface. `tag` groups them in the OpenAPI document. */
export function defineRoutes(app: FastifyApp, surface: ApiSurface, tag?: string) {
  return createRoutes<FromViewer>(app, surface, tag)
}

/** Adds routes that only the console has. */
export function defineConsoleRoutes(
  app: FastifyApp,
  rule: FastifyContextConfig = { access: 'session', subject: 'own' },
) {
  return createRoutes<FromUser>(app, { prefix: '/web', read: rule, change: rule })
}

/** Adds routes for people who are not signed in yet. */
export function defineSignInRoutes(app: FastifyApp) {
  const rule = { access: 'same_site', subject: 'none' } as const
  return createRoutes<object>(app, { prefix: '/web', read: rule, change: rule })
}

function createRoutes<Caller>(
  app: FastifyApp,
  surface: Pick<ApiSurface, 'prefix' | 'read' | 'change'> & Partial<ApiSurface>,
  tag?: string,
): Routes<Caller> {
  const add = (method: (typeof METHODS)[number]): AddRoute<Caller> => {
    return (path, { handler, ...declaration }) => {
      const options = toFastifyOptions(surface, method, path, declaration, tag)
      const { status = 200, response } = declaration
      app[method](`${surface.prefix}${path}`, options, async (request, reply) => {
        if (typeof status === 'number') void reply.code(status)
        const answer = await handler(request as Parameters<typeof handler>[0], reply)
        const isDone = answer !== undefined || reply.sent
        return isDone || (response as unknown) !== SuccessResponse ? answer : { success: true }
      })
    }
  }
  return {
    get: add('get'),
    post: add('post'),
    put: add('put'),
    patch: add('patch'),
    delete: add('delete'),
    idempotentPost(path, { run, toResponse, ...declaration }) {
      const options = toFastifyOptions(surface, 'post', path, declaration, tag)
      const { status = 200 } = declaration
      assert(typeof status === 'number')
      type Request = Parameters<typeof run>[0]
      const url = `${surface.prefix}${path}`
      const handler = createIdempotentHandler<Parameters<typeof toResponse>[0]>(url, {
        status,
        run: (request, beforeCommit) => run(request as Request, beforeCommit),
        toResponse: (result, request) => toResponse(result, request as Request) as object,
      })
      app.post(url, { ...options, config: { ...options.config, idempotent: true } }, handler)
    },
  }
}

function toFastifyOptions(
  surface: Partial<ApiSurface>,
  method: (typeof METHODS)[number],
  path: string,
  declaration: Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType>,
  tag: string | undefined,
) {
  const { bodyLimit, tooLargeText, exposeHeadRoute, preParsing, ...described } = declaration
  const { allows, summary, description, params, query, body, ...answered } = described
  const { response, status = 200, ...own } = answered
  const rule = surface[allows ?? (method === 'get' ? 'read' : 'change')]
  const errorCodes = [...(rule?.errorCodes ?? []), ...(own.errorCodes ?? [])]
  const responses = [status].flat().map((code) => [code, response])
  return {
    ...omitUndefined({ bodyLimit, exposeHeadRoute, preParsing }),
    ...(tooLargeText !== undefined && { errorHandler: createSizeErrorHandler(tooLargeText) }),
    config: { ...rule, ...own, ...(errorCodes.length > 0 && { errorCodes }) },
    schema: omitUndefined({
      summary,
      description,
      tags: tag === undefined ? undefined : [tag],
      params: describePathParameters(path, params),
      querystring: query,
      body,
      response: response === undefined ? undefined : Object.fromEntries(responses),
    }),
  }
}

function createSizeErrorHandler(text: string) {
  return (error: Error): never => {
    const isTooLarge = 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    throw isTooLarge ? new ServiceError('body_too_large', { text }) : error
  }
}
