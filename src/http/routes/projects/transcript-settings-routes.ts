import { appendAudit } from '../../../accounts/audit.ts'
import type { Db } from '../../../db/database.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import {
  changeOfficialChoice,
  readOfficialChoice,
} from '../../../meetings/official/official-choice.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  TranscriptSettingsResponse,
  UpdateTranscriptSettingsBody,
} from '../../shapes/transcript-settings.ts'

type Parts = {
  db: Db
  clock: Clock
  /** Throws `project_not_found` if the project does not exist. */
  requireProject(project: string): Promise<unknown>
}

/** What a project wants done with official transcripts. */
export function transcriptSettingsRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Projects')

  const { db, clock, requireProject } = parts
  const url = '/projects/:projectId/transcript-settings'
  routes.get(url, {
    subject: PROJECT_SUBJECT.read,
    summary: 'What a project does with official transcripts',
    description: 'For meetings that a bot attended.',
    response: TranscriptSettingsResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      return { project, officialTranscripts: await readOfficialChoice(db, project) }
    },
  })

  routes.patch(url, {
    subject: PROJECT_SUBJECT.edit,
    summary: 'Change what a project does with official transcripts',
    description:
      'For transcripts that are found from then on. `PATCH /meetings/{meetingId}` changes it for one meeting.',
    body: UpdateTranscriptSettingsBody,
    response: TranscriptSettingsResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      const { officialTranscripts } = request.body
      const actor = readAuditActor(request)
      await db.transaction().execute(async (tx) => {
        await changeOfficialChoice(tx, project, officialTranscripts)
        const action = 'official transcripts of project changed'
        await appendAudit(tx, clock.now(), actor, action, project, officialTranscripts)
      })
      return { project, officialTranscripts }
    },
  })
}
