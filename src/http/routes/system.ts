import type { System } from '../../system/area.ts'
import {
  CheckParams,
  ChecksAnswer,
  FindingAnswer,
  ModelCheckAnswer,
  ModelCheckBody,
  ModelsAnswer,
  NodesAnswer,
  StorageAnswer,
  VersionsAnswer,
} from '../shapes/system.ts'
import type { App } from '../type-provider.ts'

/** How the instance is: for admins. */
export function systemRoutes(app: App, { system }: { system: System }): void {
  const config = { access: 'admin' } as const

  app.get(
    '/web/system/checks',
    { config, schema: { response: { 200: ChecksAnswer } } },
    async () => ({ checks: system.checks() }),
  )

  // One at a time, so that whoever waits sees how far it is.
  app.post(
    '/web/system/checks/:name',
    { config, schema: { params: CheckParams, response: { 200: FindingAnswer } } },
    async (request) => system.check(request.params.name),
  )

  app.get(
    '/web/system/versions',
    { config, schema: { response: { 200: VersionsAnswer } } },
    async () => system.versions(),
  )

  app.get(
    '/web/system/storage',
    { config, schema: { response: { 200: StorageAnswer } } },
    async () => system.storage(),
  )

  app.get(
    '/web/system/nodes',
    { config, schema: { response: { 200: NodesAnswer } } },
    async () => ({
      nodes: await system.nodes(),
    }),
  )

  app.get('/web/system/models', { config, schema: { response: { 200: ModelsAnswer } } }, async () =>
    system.models(),
  )

  app.post(
    '/web/system/models/check',
    { config, schema: { body: ModelCheckBody, response: { 200: ModelCheckAnswer } } },
    async (request) => system.checkModel(request.body.model),
  )
}
