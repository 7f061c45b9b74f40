import type { SystemArea } from '../../../operations/system/area.ts'
import {
  CheckParams,
  AvailableChecksResponse,
  CheckResultResponse,
  ModelCheckResponse,
  ModelCheckBody,
  ModelSettingsResponse,
  NodesResponse,
  StorageResponse,
  VersionsResponse,
} from '../../shapes/system.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** Checks, versions, storage, nodes and models of the instance, for admins. */
export function systemRoutes(app: FastifyApp, { system }: { system: SystemArea }): void {
  const config = { access: 'admin', subject: 'instance' } as const

  app.get(
    '/web/system/checks',
    { config, schema: { response: { 200: AvailableChecksResponse } } },
    async () => ({ checks: system.listChecks() }),
  )

  // One check per request, so that the console can show progress.
  app.post(
    '/web/system/checks/:name',
    { config, schema: { params: CheckParams, response: { 200: CheckResultResponse } } },
    async (request) => system.runCheck(request.params.name),
  )

  app.get(
    '/web/system/versions',
    { config, schema: { response: { 200: VersionsResponse } } },
    async () => system.versions(),
  )

  app.get(
    '/web/system/storage',
    { config, schema: { response: { 200: StorageResponse } } },
    async () => system.storage(),
  )

  app.get(
    '/web/system/nodes',
    { config, schema: { response: { 200: NodesResponse } } },
    async () => ({
      nodes: await system.nodes(),
    }),
  )

  app.get(
    '/web/system/models',
    { config, schema: { response: { 200: ModelSettingsResponse } } },
    async () => system.models(),
  )

  app.post(
    '/web/system/models/check',
    { config, schema: { body: ModelCheckBody, response: { 200: ModelCheckResponse } } },
    async (request) => system.checkModel(request.body.model),
  )
}
