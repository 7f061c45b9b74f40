import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { PROVISIONING, type Actor } from '../../../accounts/audit.ts'
import { ServiceError, type ErrorCode } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { isEtagInList } from '../../../projects/files/concurrent-writes.ts'
import type { ProvisioningArea } from '../../../provisioning/area.ts'
import {
  describeProvider,
  listResourceTypes,
  listSchemas,
  MAX_PAGE,
} from '../../../provisioning/scim/discovery.ts'
import {
  groupEtag,
  isChosen,
  pickAttributes,
  readAttributeChoice,
  toGroupJson,
  toUserJson,
  userEtag,
  type AttributeChoice,
  type Json,
} from '../../../provisioning/scim/resources.ts'
import {
  notFoundError,
  ScimError,
  type ScimErrorType,
} from '../../../provisioning/scim/scim-error.ts'
import type { ListRequest, Precondition } from '../../../provisioning/scim/users.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { clientIp } from '../../pipeline/access/caller.ts'
import { toServiceError } from '../../pipeline/error-handler.ts'
import { acceptOnlyEmptyBodies, parseJsonBody } from '../../pipeline/json-body.ts'

type Parts = { provisioning: ProvisioningArea; log: Log; baseUrl(): string }

const PREFIX = '/scim/v2'
const MEDIA_TYPE = 'application/scim+json'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
/** A group of the largest size, with the names and links that clients add to its members. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_JSON_VALUES = 100_000
const DEFAULT_PAGE = 100
const ID = /^(?:usr|grp)_[0-9A-Za-z]{1,40}$/

const SCIM_TYPES: Partial<Record<ErrorCode, ScimErrorType>> = {
  email_taken: 'uniqueness',
  invalid_json: 'invalidSyntax',
  invalid_request: 'invalidValue',
}

/** SCIM 2.0 (RFC 7644), with which an identity provider manages users and groups. */
export function scimRoutes(app: FastifyApp, parts: Parts): void {
  // Only in this Fastify scope do bodies and errors have the form of SCIM.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      [MEDIA_TYPE, 'application/json'],
      { parseAs: 'buffer' },
      (request: FastifyRequest, body: Buffer) => parseJsonBody(request, body),
    )
    acceptOnlyEmptyBodies(
      scope,
      () => new ServiceError('unsupported_media_type', { text: `Send the body as ${MEDIA_TYPE}` }),
    )
    scope.setErrorHandler<FastifyError>((error, request, reply) =>
      sendScimError(error, request, reply, parts.log),
    )
    discoveryRoutes(scope, parts)
    const { users, groups } = parts.provisioning
    resourceRoutes(scope, parts, {
      path: 'Users',
      store: {
        ...users,
        list: async (request) => {
          const { users: resources, total } = await users.list(request)
          return { resources, total }
        },
      },
      toJson: toUserJson,
      etagOf: userEtag,
    })
    resourceRoutes(scope, parts, {
      path: 'Groups',
      store: {
        ...groups,
        list: async (request, choice) => {
          const { groups: resources, total } = await groups.list({ ...request, ...choice })
          return { resources, total }
        },
      },
      toJson: toGroupJson,
      etagOf: groupEtag,
    })
    for (const url of [PREFIX, `${PREFIX}/*`]) {
      scope.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        config: ROUTE,
        handler: async () => {
          throw notFoundError('resource')
        },
      })
    }
  })
}

const ROUTE = { access: 'provisioning', subject: 'instance' } as const
const CHANGE = { bodyLimit: MAX_BODY_BYTES, config: { ...ROUTE, maxJsonValues: MAX_JSON_VALUES } }

type MemberChoice = { withMembers: boolean }

type ResourceKind<Resource> = {
  path: 'Users' | 'Groups'
  store: {
    list(
      request: ListRequest,
      choice: MemberChoice,
    ): Promise<{ total: number; resources: Resource[] }>
    get(id: string, choice: MemberChoice): Promise<Resource>
    create(body: unknown, actor: Actor): Promise<Resource>
    replace(
      id: string,
      body: unknown,
      check: Precondition<Resource>,
      actor: Actor,
    ): Promise<Resource>
    patch(id: string, body: unknown, check: Precondition<Resource>, actor: Actor): Promise<Resource>
    remove(id: string, check: Precondition<Resource>, actor: Actor): Promise<void>
  }
  toJson(resource: Resource, url: string): Json
  etagOf(resource: Resource): string
}

/** The routes of users or of groups. */
function resourceRoutes<Resource>(
  app: FastifyApp,
  { baseUrl }: Parts,
  { path, store, toJson, etagOf }: ResourceKind<Resource>,
): void {
  const url = () => `${baseUrl()}${PREFIX}`
  const write = (resource: Resource, choice: AttributeChoice) =>
    pickAttributes(toJson(resource, url()), choice)
  const send = (request: FastifyRequest, reply: FastifyReply, resource: Resource) =>
    reply
      .header('etag', etagOf(resource))
      .type(MEDIA_TYPE)
      .send(write(resource, readChoice(request)))
  const check =
    ({ headers }: FastifyRequest): Precondition<Resource> =>
    (current) => {
      const wanted = headers['if-match']
      if (wanted === undefined || isEtagInList(strong(etagOf(current)), strong(wanted))) return
      throw new ScimError(null, 'The resource was changed since it was read', 412)
    }

  app.get(`${PREFIX}/${path}`, { config: ROUTE }, async (request, reply) => {
    const choice = readChoice(request)
    const page = readListRequest(request)
    const { total, resources } = await store.list(page, withMembers(choice))
    return reply.type(MEDIA_TYPE).send({
      schemas: [LIST_SCHEMA],
      totalResults: total,
      startIndex: page.startIndex,
      itemsPerPage: resources.length,
      Resources: resources.map((resource) => write(resource, choice)),
    })
  })

  app.get(`${PREFIX}/${path}/:id`, { config: ROUTE }, async (request, reply) => {
    const choice = readChoice(request)
    const resource = await store.get(readId(request), withMembers(choice))
    const known = request.headers['if-none-match']
    if (known !== undefined && isEtagInList(strong(etagOf(resource)), strong(known)))
      return reply.header('etag', etagOf(resource)).code(304).send()
    return send(request, reply, resource)
  })

  app.post(`${PREFIX}/${path}`, CHANGE, async (request, reply) => {
    const resource = await store.create(request.body, actorOf(request))
    const { meta } = toJson(resource, url())
    void reply.code(201).header('location', (meta as { location: string }).location)
    return send(request, reply, resource)
  })

  app.put(`${PREFIX}/${path}/:id`, CHANGE, async (request, reply) => {
    const id = readId(request)
    const changed = await store.replace(id, request.body, check(request), actorOf(request))
    return send(request, reply, changed)
  })

  app.patch(`${PREFIX}/${path}/:id`, CHANGE, async (request, reply) => {
    const id = readId(request)
    const changed = await store.patch(id, request.body, check(request), actorOf(request))
    return send(request, reply, changed)
  })

  app.delete(`${PREFIX}/${path}/:id`, { config: ROUTE }, async (request, reply) => {
    await store.remove(readId(request), check(request), actorOf(request))
    return reply.code(204).send()
  })
}

function discoveryRoutes(app: FastifyApp, { baseUrl }: Parts): void {
  const url = () => `${baseUrl()}${PREFIX}`
  app.get(`${PREFIX}/ServiceProviderConfig`, { config: ROUTE }, async (_request, reply) =>
    reply.type(MEDIA_TYPE).send(describeProvider(url())),
  )
  for (const [path, list] of [
    ['ResourceTypes', listResourceTypes],
    ['Schemas', listSchemas],
  ] as const) {
    app.get(`${PREFIX}/${path}`, { config: ROUTE }, async (_request, reply) => {
      const resources = list(url())
      return reply.type(MEDIA_TYPE).send({
        schemas: [LIST_SCHEMA],
        totalResults: resources.length,
        startIndex: 1,
        itemsPerPage: resources.length,
        Resources: resources,
      })
    })
    app.get(`${PREFIX}/${path}/:id`, { config: ROUTE }, async (request, reply) => {
      const { id } = request.params as { id: string }
      const found = list(url()).find((resource) => resource['id'] === id)
      if (found === undefined) throw notFoundError('resource')
      return reply.type(MEDIA_TYPE).send(found)
    })
  }
}

/** Entity tags of SCIM are weak, and RFC 7644 compares them anyway. */
function strong(etag: string): string {
  return etag.replaceAll('W/', '')
}

function actorOf(request: FastifyRequest): Actor {
  return { name: PROVISIONING, ip: clientIp(request) }
}

/** No resource has another id, and the database cannot store every text. */
function readId(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!ID.test(id)) throw notFoundError('resource')
  return id
}

function readChoice(request: FastifyRequest): AttributeChoice {
  return readAttributeChoice(
    readParameter(request, 'attributes'),
    readParameter(request, 'excludedAttributes'),
  )
}

function withMembers(choice: AttributeChoice): MemberChoice {
  return { withMembers: isChosen(choice, 'members') }
}

function readListRequest(request: FastifyRequest): ListRequest {
  const startIndex = readNumber(request, 'startIndex') ?? 1
  const count = readNumber(request, 'count') ?? DEFAULT_PAGE
  return {
    filter: readParameter(request, 'filter') ?? null,
    startIndex: Math.max(1, startIndex),
    count: Math.min(MAX_PAGE, Math.max(0, count)),
  }
}

function readNumber(request: FastifyRequest, name: string): number | undefined {
  const text = readParameter(request, name)
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new ScimError('invalidValue', `${name} must be a whole number`)
  return Number(text)
}

function readParameter({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]
  if (value === undefined || typeof value === 'string') return value
  throw new ScimError('invalidValue', `${name} is given more than once`)
}

function sendScimError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const scimError = error instanceof ScimError ? error : null
  const serviceError = scimError === null ? toServiceError(error) : null
  if (serviceError !== null && serviceError.status >= 500)
    log.error({ err: error, requestId: request.id, method: request.method }, 'request failed')
  const status = scimError?.status ?? serviceError?.status ?? 500
  const { retryAfterSeconds, details } = serviceError?.extras ?? {}
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
  if (status === 401) void reply.header('www-authenticate', 'Bearer realm="scim"')
  const scimType = scimError?.scimType ?? (serviceError && SCIM_TYPES[serviceError.code])
  const problems = (details ?? []).map(({ path, message }) => `${path}: ${message}`)
  const texts = [serviceError?.message ?? scimError?.message, ...problems, serviceError?.hint]
  return reply
    .code(status)
    .type(MEDIA_TYPE)
    .send({
      schemas: [ERROR_SCHEMA],
      status: String(status),
      ...(scimType && { scimType }),
      detail: texts.filter((text) => text !== undefined).join('. '),
    })
}
