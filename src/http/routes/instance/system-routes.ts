import { appendAudit } from '../../../accounts/audit.ts'
import type { Db } from '../../../db/database.ts'
import { preventUnhandledRejection } from '../../../lib/async/await-later.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { SystemArea } from '../../../operations/system/area.ts'
import type { SpeechArea } from '../../../speech/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
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

/** The speech recognition that is installed on this node, and its installation, for admins. */
export function speechRoutes(app: FastifyApp, { speech, db, clock }: Parts): void {
  const config = { access: 'admin', subject: 'instance' } as const
  const schema = { response: { 200: SpeechStatusResponse } }

  app.get('/web/system/speech', { config, schema }, async () => speech.status())

  // Responds at once, because an installation takes minutes. The console polls the status until it ends.
  app.post('/web/system/speech/install', { config, schema }, async (request) => {
    const actor = readSignedInUserAuditActor(request)
    await appendAudit(db, clock.now(), actor, 'speech installation started')
    // A failure is logged, and the status shows it.
    void preventUnhandledRejection(speech.install())
    return speech.status()
  })

  app.post('/web/system/speech/remove', { config, schema }, async (request) => {
    const actor = readSignedInUserAuditActor(request)
    speech.remove()
    await appendAudit(db, clock.now(), actor, 'speech recognition removed')
    return speech.status()
  })
}
