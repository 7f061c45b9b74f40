import { ServiceError } from '../../../errors.ts'
import { canonicalLanguageTag } from '../../../lib/text/language-tag.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { ProjectRecapSettings } from '../../../recap/template.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { ProjectParams } from '../../shapes/projects.ts'
import { RecapSettingsResponse, UpdateRecapSettingsBody } from '../../shapes/recap-settings.ts'

type Parts = {
  recaps: Recaps
  /** Throws `project_not_found` if the project does not exist. */
  requireProject(project: string): Promise<unknown>
  /** True if this instance can send mail. */
  hasMail: boolean
}
const TAGS = ['Projects']

/** What a project wants its recaps to be. */
export function recapSettingsRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { recaps, requireProject, hasMail }: Parts,
): void {
  const url = `${surface.prefix}/projects/:projectId/recap-settings`
  const errorCodes = ['project_not_found'] as const
  app.get(
    url,
    {
      config: { ...surface.read, subject: PROJECT_SUBJECT.read, errorCodes: [...errorCodes] },
      schema: {
        summary: 'What the recaps of a project are',
        description:
          'Their language, their sections, the instructions for a language model, and who gets them by mail.',
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
      config: {
        ...surface.change,
        subject: PROJECT_SUBJECT.edit,
        errorCodes: [...errorCodes, 'mail_off'],
      },
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
      const { recapLanguage: tag, sections, instructions, recapMail } = request.body
      if (recapMail !== undefined && recapMail !== 'nobody' && !hasMail)
        throw new ServiceError('mail_off')
      const change = {
        ...(tag !== undefined && { language: tag === null ? null : canonicalLanguageTag(tag) }),
        ...(sections !== undefined && { sections }),
        ...(instructions !== undefined && { instructions: instructions.trim() }),
        ...(recapMail !== undefined && { mailRecipients: recapMail }),
      }
      return toResponse(project, await recaps.changeTemplate(project, change))
    },
  )
}

function toResponse(project: string, settings: ProjectRecapSettings) {
  const { language, sections, instructions, mailRecipients } = settings
  return {
    project,
    recapLanguage: language,
    sections: [...sections],
    instructions,
    recapMail: mailRecipients,
  }
}
