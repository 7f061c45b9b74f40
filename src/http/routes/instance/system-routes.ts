import { appendAudit } from '../../../accounts/audit.ts'
import type { Db } from '../../../db/database.ts'
import { preventUnhandledRejection } from '../../../lib/async/await-later.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { SystemArea } from '../../../operations/system/area.ts'
import type { SpeechArea } from '../../../speech/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { ADMIN_RULE } from '../../pipeline/access/api-surfaces.ts'
import { defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
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
  SpeechStatusResponse,
} from '../../shapes/system.ts'

type Parts = { speech: SpeechArea; db: Db; clock: Clock }

/** Checks, versions, storage, nodes and models of the instance, for admins. */
export function systemRoutes(app: FastifyApp, { system }: { system: SystemArea }): void {
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  routes.get('/system/checks', {
    response: AvailableChecksResponse,
    handler: async () => ({ checks: system.listChecks() }),
  })

  // One check per request, so that the console can show progress.
  routes.post('/system/checks/:name', {
    params: CheckParams,
    response: CheckResultResponse,
    handler: async (request) => system.runCheck(request.params.name),
  })

  routes.get('/system/versions', {
    response: VersionsResponse,
    handler: async () => system.versions(),
  })

  routes.get('/system/storage', {
    response: StorageResponse,
    handler: async () => system.storage(),
  })

  routes.get('/system/nodes', {
    response: NodesResponse,
    handler: async () => ({
      nodes: await system.nodes(),
    }),
  })

  routes.get('/system/models', {
    response: ModelSettingsResponse,
    handler: async () => system.models(),
  })

  routes.post('/system/models/check', {
    body: ModelCheckBody,
    response: ModelCheckResponse,
    handler: async (request) => system.checkModel(request.body.model),
  })
}

/** The speech recognition that is installed on this node, and its installation, for admins. */
export function speechRoutes(app: FastifyApp, { speech, db, clock }: Parts): void {
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  routes.get('/system/speech', {
    response: SpeechStatusResponse,
    handler: async () => speech.status(),
  })

  // Responds at once, because an installation takes minutes. The console polls the status until it ends.
  routes.post('/system/speech/install', {
    response: SpeechStatusResponse,
    handler: async (request) => {
      const actor = readAuditActor(request)
      await appendAudit(db, clock.now(), actor, 'speech installation started')
      // A failure is logged, and the status shows it.
      void preventUnhandledRejection(speech.install())
      return speech.status()
    },
  })

  routes.post('/system/speech/remove', {
    response: SpeechStatusResponse,
    handler: async (request) => {
      const actor = readAuditActor(request)
      speech.remove()
      await appendAudit(db, clock.now(), actor, 'speech recognition removed')
      return speech.status()
    },
  })
}
