import { canonicalLanguageTag } from '../../../lib/text/language-tag.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { RecapTemplate } from '../../../recap/template.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { ProjectParams } from '../../shapes/projects.ts'
import { RecapSettingsResponse, UpdateRecapSettingsBody } from '../../shapes/recap-settings.ts'

type Parts = {
  recaps: Recaps
  /** Throws `project_not_found` if the project does not exist. */
  requireProject(project: string): Promise<unknown>
}
const TAGS = ['Projects']

/** What a project wants its recaps to be. */
export function recapSettingsRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { recaps, requireProject }: Parts,
): void {
  const url = `${surface.prefix}/projects/:projectId/recap-settings`
  const errorCodes = ['project_not_found'] as const
  app.get(
    url,
    {
      config: { ...surface.read, subject: PROJECT_SUBJECT.read, errorCodes: [...errorCodes] },
      schema: {
        summary: 'What the recaps of a project are',
        description: 'Their language, their sections, and the instructions for a language model.',
        tags: TAGS,
        params: ProjectParams,
        response: { 200: RecapSettingsResponse },
      },
    },
    async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      return toResponse(project, await recaps.getTemplate(project))
    },
  )

  app.patch(
    url,
    {
      config: { ...surface.change, subject: PROJECT_SUBJECT.edit, errorCodes: [...errorCodes] },
      schema: {
        summary: 'Change what the recaps of a project are',
        description:
          'Fields that are not sent stay as they are. Recaps that exist stay as they are until they are made again.',
        tags: TAGS,
        params: ProjectParams,
        body: UpdateRecapSettingsBody,
        response: { 200: RecapSettingsResponse },
      },
    },
    async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      const { recapLanguage: tag, sections, instructions } = request.body
      const change = {
        ...(tag !== undefined && { language: tag === null ? null : canonicalLanguageTag(tag) }),
        ...(sections !== undefined && { sections }),
        ...(instructions !== undefined && { instructions: instructions.trim() }),
      }
      return toResponse(project, await recaps.changeTemplate(project, change))
    },
  )
}

function toResponse(project: string, { language, sections, instructions }: RecapTemplate) {
  return { project, recapLanguage: language, sections: [...sections], instructions }
}
