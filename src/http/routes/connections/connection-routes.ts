import type { ConnectionsArea } from '../../../connections/area.ts'
import type { Connection } from '../../../connections/connection.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { AdminSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor, requireViewer } from '../../pipeline/access/caller.ts'
import { addIdempotentPostRoute } from '../../pipeline/idempotency.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  ConnectionCheckResponse,
  ConnectionParams,
  ConnectionResponse,
  ConnectionsResponse,
  ConnectionTranscriptsQuery,
  ConnectionTranscriptsResponse,
  CreateConnectionBody,
  UpdateConnectionBody,
} from '../../shapes/connections.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = Pick<ConnectionsArea, 'connections'>

const TAGS = ['Connections']
const WHO_MAY =
  'Needs a key that is not restricted to scopes or projects: a service token, or a personal token of an admin.'
/** Longer than this, a check tells nobody anything. */
const CHECK_MS = 60_000

/** The organization's connections to Microsoft 365, for admins. */
export function connectionRoutes(app: FastifyApp, surface: AdminSurface, parts: Parts): void {
  connectionReadRoutes(app, surface, parts)
  createConnectionRoute(app, surface, parts)
  connectionChangeRoutes(app, surface, parts)
}

function connectionReadRoutes(
  app: FastifyApp,
  { prefix, read }: AdminSurface,
  { connections }: Parts,
): void {
  app.get(
    `${prefix}/connections`,
    {
      config: { ...read, errorCodes: ['admin_key_needed'] },
      schema: {
        summary: 'The connections of the organization',
        description: `Their secrets are never returned. ${WHO_MAY}`,
        tags: TAGS,
        response: { 200: ConnectionsResponse },
      },
    },
    async () => ({ connections: await connections.list() }),
  )
  app.get(
    `${prefix}/connections/:connectionId/transcripts`,
    {
      config: { ...read, errorCodes: ['admin_key_needed', 'connection_not_found'] },
      schema: {
        summary: 'The transcripts that a connection found, newest first',
        description: `Without titles, because not every admin may read the meetings. ${WHO_MAY}`,
        tags: TAGS,
        params: ConnectionParams,
        querystring: ConnectionTranscriptsQuery,
        response: { 200: ConnectionTranscriptsResponse },
      },
    },
    async (request) => {
      const { limit, cursor, state } = request.query
      const { connectionId } = request.params
      const size = resolvePageSize(limit)
      const page = await connections.listTranscripts(connectionId, { state }, size, cursor)
      return { transcripts: page.items, nextCursor: page.nextCursor }
    },
  )
}

function createConnectionRoute(
  app: FastifyApp,
  { prefix, read }: AdminSurface,
  { connections }: Parts,
): void {
  addIdempotentPostRoute(app, `${prefix}/connections`, {
    config: {
      ...read,
      errorCodes: ['admin_key_needed', 'project_not_found', 'too_many_connections'],
    },
    schema: {
      summary: 'Connect an organization of Microsoft 365',
      description: `Transcripts of Teams meetings of the organizers are read from now on. Send clientSecret or certificate. ${WHO_MAY}`,
      tags: TAGS,
      body: CreateConnectionBody,
    },
    status: 201,
    response: ConnectionResponse,
    run(request, beforeCommit: (tx: Db, connection: Connection) => Promise<void>) {
      const { readsFrom, ...fields } = request.body
      const from = readsFrom === undefined ? {} : { readsFrom: new Date(readsFrom) }
      return connections.create(
        requireViewer(request),
        { ...fields, ...from },
        readAuditActor(request),
        (tx: Tx, connection) => beforeCommit(tx, connection),
      )
    },
    toResponse: (connection) => ({ connection }),
  })
}

function connectionChangeRoutes(
  app: FastifyApp,
  { prefix, read }: AdminSurface,
  { connections }: Parts,
): void {
  const url = `${prefix}/connections/:connectionId`
  const config = { ...read, errorCodes: ['admin_key_needed', 'connection_not_found'] as const }
  app.patch(
    url,
    {
      config: { ...config, errorCodes: [...config.errorCodes, 'project_not_found'] },
      schema: {
        summary: 'Change a connection; only the sent fields change',
        description: `It is read again at once. ${WHO_MAY}`,
        tags: TAGS,
        params: ConnectionParams,
        body: UpdateConnectionBody,
        response: { 200: ConnectionResponse },
      },
    },
    async (request) => {
      const { connectionId } = request.params
      const actor = readAuditActor(request)
      const viewer = requireViewer(request)
      return { connection: await connections.update(viewer, connectionId, request.body, actor) }
    },
  )
  app.delete(
    url,
    {
      config,
      schema: {
        summary: 'Remove a connection',
        description: `With its credential and its list of transcripts. Meetings that were stored stay. ${WHO_MAY}`,
        tags: TAGS,
        params: ConnectionParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      await connections.remove(request.params.connectionId, readAuditActor(request))
      return { success: true as const }
    },
  )
  app.post(
    `${url}/check`,
    {
      config,
      schema: {
        summary: 'Check what a connection needs',
        description: `Signs in, and tries the permissions and the first five organizers. Stores nothing. ${WHO_MAY}`,
        tags: TAGS,
        params: ConnectionParams,
        response: { 200: ConnectionCheckResponse },
      },
    },
    async (request) => {
      const signal = AbortSignal.timeout(CHECK_MS)
      const checks = await connections.check(request.params.connectionId, signal)
      return { ok: checks.every(({ ok }) => ok), checks }
    },
  )
  app.post(
    `${url}/read`,
    {
      config,
      schema: {
        summary: 'Read a connection now',
        description: `Returns at once; polledAt changes when it was read. While Microsoft limits the requests, it is not read earlier. ${WHO_MAY}`,
        tags: TAGS,
        params: ConnectionParams,
        response: { 200: ConnectionResponse },
      },
    },
    async (request) => ({ connection: await connections.readNow(request.params.connectionId) }),
  )
}
