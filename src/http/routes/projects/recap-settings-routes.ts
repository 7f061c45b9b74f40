import type { z } from 'zod'
import { requireAccess } from '../../../access/subjects.ts'
import { memberIdOf } from '../../../access/viewer.ts'
import { appendAudit } from '../../../accounts/audit.ts'
import type { Tx } from '../../../db/database.ts'
import { ServiceError } from '../../../errors.ts'
import { canonicalLanguageTag } from '../../../lib/text/language-tag.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { ProjectRecapSettings } from '../../../recap/template.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { RecapSettingsResponse, UpdateRecapSettingsBody } from '../../shapes/recap-settings.ts'

type Parts = {
  recaps: Recaps
  /** Throws `project_not_found` if the project does not exist. */
  requireProject(project: string): Promise<unknown>
  /** True if this instance can send mail. */
  hasMail: boolean
  /** False if share links are turned off. */
  isSharingOn: boolean
  clock: Clock
}

/** What a project wants its recaps to be. */
export function recapSettingsRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Projects')

  const { recaps, requireProject } = parts
  const url = '/projects/:projectId/recap-settings'
  routes.get(url, {
    subject: PROJECT_SUBJECT.read,
    summary: 'What the recaps of a project are',
    description:
      'Their language, their sections, the instructions for a language model, and who gets them by mail.',
    response: RecapSettingsResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      return toResponse(project, await recaps.getTemplate(project))
    },
  })

  routes.patch(url, {
    subject: PROJECT_SUBJECT.edit,
    errorCodes: ['mail_off', 'sharing_off'],
    summary: 'Change what the recaps of a project are',
    description:
      'Fields that are not sent stay as they are. Recaps that exist stay as they are until they are made again. Editors may change them, but only owners have recaps mailed to guests.',
    body: UpdateRecapSettingsBody,
    response: RecapSettingsResponse,
    handler: async (request) => {
      const { projectId: project } = request.params
      await requireProject(project)
      const { recapLanguage: tag, sections, instructions, recapMail } = request.body
      refuseWithoutMail(parts, request.body)
      const change = {
        ...(tag !== undefined && { language: tag === null ? null : canonicalLanguageTag(tag) }),
        ...(sections !== undefined && { sections }),
        ...(instructions !== undefined && { instructions: instructions.trim() }),
        ...(recapMail !== undefined && { mailRecipients: recapMail }),
        ...findGuestChange(request, request.body),
      }
      const settings = await recaps.changeTemplate(project, change, (tx) =>
        checkGuestChange(tx, parts, request, { project, ...request.body }),
      )
      return toResponse(project, settings)
    },
  })
}

type Body = z.output<typeof UpdateRecapSettingsBody>

function refuseWithoutMail({ hasMail, isSharingOn }: Parts, { recapMail, mailsGuests }: Body) {
  const sendsMail = (recapMail !== undefined && recapMail !== 'nobody') || mailsGuests === true
  if (sendsMail && !hasMail) throw new ServiceError('mail_off')
  if (mailsGuests === true && !isSharingOn) throw new ServiceError('sharing_off')
}

/** The links of guests have the rights of the person or token that turned them on. */
function findGuestChange(request: ApiRequest, { mailsGuests, guestLinkDays }: Body) {
  const { name } = readAuditActor(request)
  const sharer = { createdBy: name, creatorId: memberIdOf(request.viewer) }
  return {
    ...(mailsGuests !== undefined && { guestSharer: mailsGuests ? sharer : null }),
    ...(guestLinkDays !== undefined && { guestLinkDays }),
  }
}

/** Guests read content outside of the project, so only its owners decide about them. Editors may turn it off. */
async function checkGuestChange(
  tx: Tx,
  { clock }: Parts,
  request: ApiRequest,
  { project, mailsGuests, guestLinkDays }: Body & { project: string },
): Promise<void> {
  if (mailsGuests === undefined && guestLinkDays === undefined) return
  if (mailsGuests === true || guestLinkDays !== undefined) {
    const subject = { kind: 'project', id: project, action: 'manage' } as const
    await requireAccess(tx, request.viewer, subject)
  }
  const changes = [
    ...(mailsGuests === undefined ? [] : [mailsGuests ? 'on' : 'off']),
    ...(guestLinkDays === undefined ? [] : [`links for ${guestLinkDays} days`]),
  ]
  const actor = readAuditActor(request)
  const action = 'recap mail to guests changed'
  await appendAudit(tx, clock.now(), actor, action, project, changes.join(', '))
}

function toResponse(project: string, settings: ProjectRecapSettings) {
  const { language, sections, instructions, mailRecipients, guestSharer, guestLinkDays } = settings
  return {
    project,
    recapLanguage: language,
    sections: [...sections],
    instructions,
    recapMail: mailRecipients,
    mailsGuests: guestSharer !== null,
    guestLinkDays,
  }
}
