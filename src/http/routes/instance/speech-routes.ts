import { appendAudit } from '../../../accounts/audit.ts'
import type { Db } from '../../../db/database.ts'
import { preventUnhandledRejection } from '../../../lib/async/await-later.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { SpeechArea } from '../../../speech/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
import { SpeechStatusResponse } from '../../shapes/speech.ts'

type Parts = { speech: SpeechArea; db: Db; clock: Clock }

/** What is installed to recognize speech on this node, and its installation, for admins. */
export function speechRoutes(app: FastifyApp, { speech, db, clock }: Parts): void {
  const config = { access: 'admin', subject: 'instance' } as const
  const schema = { response: { 200: SpeechStatusResponse } }

  app.get('/web/system/speech', { config, schema }, async () => speech.status())

  // Responds at once, because an installation takes minutes; the console reads the status until it has ended.
  app.post('/web/system/speech/install', { config, schema }, async (request) => {
    const actor = readSignedInUserAuditActor(request)
    await appendAudit(db, clock.now(), actor, 'speech installation started')
    // A failure is logged, and shown by the status.
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
