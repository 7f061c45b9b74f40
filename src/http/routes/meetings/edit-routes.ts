import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../../accounts/audit-actions.ts'
import { appendAudit } from '../../../accounts/audit.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { EditAuthor, EditKind } from '../../../meetings/editing/edit-history.ts'
import type { EditRequest, MeetingEditor } from '../../../meetings/editing/meeting-editor.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  EditsResponse,
  RenameSpeakerBody,
  RenameSpeakerResponse,
  UndoEditResponse,
} from '../../shapes/meetings/edits.ts'

type Parts = { editor: MeetingEditor; recaps: Recaps; clock: Clock }

const AUDIT_ACTION_BY_KIND = {
  title: 'meeting renamed',
  speaker: 'speaker renamed',
  start: 'meeting start changed',
  lines: 'official transcript used',
} as const satisfies Record<EditKind, AuditAction>

/** Names of speakers, and the history of a meeting. Titles are changed in meeting-routes.ts. */
export function editRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  const { editor, recaps } = parts

  routes.post('/meetings/:meetingId/speakers/rename', {
    subject: MEETING_SUBJECT.edit,
    // Names are cleaned.
    allowsUnstorableText: true,
    errorCodes: ['meeting_active'],
    summary: 'Give a speaker another name',
    description:
      'Transcript, document, search, recap, participants, talk time and exports show the new name, as do new lines of a live meeting. Events keep the name that the platform shows; `renamedSpeakers` of the meeting has both.',
    body: RenameSpeakerBody,
    response: RenameSpeakerResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      const names = await editor.renameSpeaker(
        createEditRequest(request, parts),
        meetingId,
        request.body,
      )
      recaps.afterEdit(meetingId)
      return { meetingId, ...names }
    },
  })

  routes.get('/meetings/:meetingId/edits', {
    subject: MEETING_SUBJECT.read,
    summary: 'Changes of the title, of names of speakers, of the start, and of the lines',
    description: 'Who changed what and when, newest first.',
    response: EditsResponse,
    handler: async (request) => {
      const edits = await editor.history(request.params.meetingId)
      return {
        edits: edits.map(({ number: editNumber, kind, before, after, at, author, canUndo }) => ({
          editNumber,
          kind,
          from: before,
          to: after,
          at,
          by: author.name,
          canUndo,
        })),
      }
    },
  })

  routes.post('/meetings/:meetingId/edits/:editNumber/undo', {
    subject: MEETING_SUBJECT.edit,
    errorCodes: ['edit_not_found', 'edit_not_newest'],
    summary: 'Undo a change of the title, of the name of a speaker, of the start, or of the lines',
    description:
      'Restores the earlier name, also of speakers that were shown as one since then. Changes of each kind are undone newest first: `canUndo` of a listed change says whether it is next. The history keeps both changes.',
    response: UndoEditResponse,
    handler: async (request) => {
      const { meetingId, editNumber } = request.params
      await editor.undo(createEditRequest(request, parts), meetingId, Number(editNumber))
      recaps.afterEdit(meetingId)
      return { success: true as const, meetingId }
    },
  })
}

/** Audits an edit, and changes the recap with it. */
export function createEditRequest(
  request: ApiRequest,
  { recaps, clock }: Omit<Parts, 'editor'>,
): EditRequest {
  const actor = readAuditActor(request)
  return {
    viewer: request.viewer,
    author: readEditAuthor(request),
    async beforeCommit(tx, meetingId, { kind, before, after, number: editNumber, undoes }) {
      // Without the names, because admins read the audit log, but not the content of private projects.
      await appendAudit(tx, clock.now(), actor, AUDIT_ACTION_BY_KIND[kind], meetingId)
      if (kind === 'title') return
      if (kind === 'start') return recaps.renew(tx, meetingId)
      if (kind === 'lines') return recaps.followLines(tx, meetingId)
      const names = { from: before ?? '', to: after ?? '' }
      await recaps.renameSpeaker(tx, meetingId, { ...names, editNumber, undoes })
    },
  }
}

function readEditAuthor(request: FastifyRequest): EditAuthor {
  const { name: actor } = readAuditActor(request)
  return { actor, name: request.token?.name ?? request.signedIn?.user.name ?? actor }
}
