import { appendAudit } from '../../../accounts/audit.ts'
import type { Vocabularies } from '../../../projects/vocabulary.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { UpdateVocabularyBody, VocabularyResponse } from '../../shapes/vocabulary.ts'

type Parts = {
  vocabularies: Vocabularies
  /** Throws `project_not_found` if the project does not exist. */
  requireProject(project: string): Promise<unknown>
}

/** Names and terms with which the recognized speech of a project's meetings is corrected. */
export function vocabularyRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Projects')
  const { vocabularies, requireProject } = parts
  const url = '/projects/:projectId/vocabulary'

  routes.get(url, {
    subject: PROJECT_SUBJECT.read,
    summary: 'The vocabulary of a project',
    description: 'Names and terms with which recognized speech is corrected.',
    response: VocabularyResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      return { project, terms: await vocabularies.list(project) }
    },
  })

  routes.patch(url, {
    subject: PROJECT_SUBJECT.edit,
    errorCodes: ['too_many_terms'],
    summary: 'Change the vocabulary of a project',
    description:
      'Adds and removes these entries and keeps the others. Meetings that have begun use the vocabulary that the project had when their bot joined.',
    body: UpdateVocabularyBody,
    response: VocabularyResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      const { add = [], remove = [] } = request.body
      const terms = await vocabularies.change(project, { add, remove }, (tx, at) => {
        const detail = `${add.length} to add, ${remove.length} to remove`
        return appendAudit(tx, at, readAuditActor(request), 'vocabulary changed', project, detail)
      })
      return { project, terms }
    },
  })
}
