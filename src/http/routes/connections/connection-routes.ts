import type { ConnectionsArea } from '../../../connections/area.ts'
import type { Connection } from '../../../connections/connection.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  ConnectionCheckResponse,
  ConnectionResponse,
  ConnectionsResponse,
  ConnectionTranscriptsQuery,
  ConnectionTranscriptsResponse,
  CreateConnectionBody,
  UpdateConnectionBody,
} from '../../shapes/connections.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = Pick<ConnectionsArea, 'connections'>

const WHO_MAY =
  'Needs a key that is not restricted to scopes or projects: a service token, or a personal token of an admin.'
/** Longer than this, a check tells nobody anything. */
const CHECK_MS = 60_000

/** The organization's connections to Microsoft 365 and Google Workspace, for admins. */
export function connectionRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { connections }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Connections')

  routes.get('/connections', {
    summary: 'The connections of the organization',
    description: `Their secrets are never returned. ${WHO_MAY}`,
    response: ConnectionsResponse,
    handler: async () => ({ connections: await connections.list() }),
  })

  routes.get('/connections/:connectionId/transcripts', {
    errorCodes: ['connection_not_found'],
    summary: 'The transcripts that a connection found, newest first',
    description: `Without titles, because not every admin may read the meetings. ${WHO_MAY}`,
    query: ConnectionTranscriptsQuery,
    response: ConnectionTranscriptsResponse,
    handler: async (request) => {
      const { limit, cursor, state } = request.query
      const { connectionId } = request.params
      const size = resolvePageSize(limit)
      const page = await connections.listTranscripts(connectionId, { state }, size, cursor)
      return { transcripts: page.items, nextCursor: page.nextCursor }
    },
  })

  routes.idempotentPost('/connections', {
    errorCodes: ['project_not_found', 'too_many_connections'],
    summary: 'Connect an organization of Microsoft 365 or Google Workspace',
    description: `Transcripts of the organizers’ meetings are read from now on. Send tenant, clientId and clientSecret or certificate for Microsoft 365, and serviceAccountKey for Google. ${WHO_MAY}`,
    body: CreateConnectionBody,
    status: 201,
    response: ConnectionResponse,
    run(request, beforeCommit: (tx: Db, connection: Connection) => Promise<void>) {
      const { readsFrom, ...fields } = request.body
      const from = readsFrom === undefined ? {} : { readsFrom: new Date(readsFrom) }
      return connections.create(
        request.viewer,
        { ...fields, ...from },
        readAuditActor(request),
        (tx: Tx, connection) => beforeCommit(tx, connection),
      )
    },
    toResponse: (connection) => ({ connection }),
  })

  routes.patch('/connections/:connectionId', {
    errorCodes: ['connection_not_found', 'project_not_found'],
    summary: 'Change a connection; only the sent fields change',
    description: `It is read again at once. ${WHO_MAY}`,
    body: UpdateConnectionBody,
    response: ConnectionResponse,
    handler: async (request) => {
      const { connectionId } = request.params
      const actor = readAuditActor(request)
      const viewer = request.viewer
      return { connection: await connections.update(viewer, connectionId, request.body, actor) }
    },
  })

  routes.delete('/connections/:connectionId', {
    errorCodes: ['connection_not_found'],
    summary: 'Remove a connection',
    description: `With its credential and its list of transcripts. Meetings that were stored stay. ${WHO_MAY}`,
    response: SuccessResponse,
    handler: async (request) => {
      await connections.remove(request.params.connectionId, readAuditActor(request))
    },
  })

  routes.post('/connections/:connectionId/check', {
    errorCodes: ['connection_not_found'],
    summary: 'Check what a connection needs',
    description: `Signs in, and tries the permissions and the first five organizers. Stores nothing. ${WHO_MAY}`,
    response: ConnectionCheckResponse,
    handler: async (request) => {
      const signal = AbortSignal.timeout(CHECK_MS)
      const checks = await connections.check(request.params.connectionId, signal)
      return { ok: checks.every(({ ok }) => ok), checks }
    },
  })

  routes.post('/connections/:connectionId/read', {
    errorCodes: ['connection_not_found'],
    summary: 'Read a connection now',
    description: `Returns at once; polledAt changes when it was read. While the provider limits the requests, it is not read earlier. ${WHO_MAY}`,
    response: ConnectionResponse,
    handler: async (request) => ({
      connection: await connections.readNow(request.params.connectionId),
    }),
  })
}
