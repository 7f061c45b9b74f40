import { strict as assert } from 'node:assert'
import { endSharesAudited } from '../../../access/sharing/end-shares.ts'
import { appendAudit } from '../../../accounts/audit.ts'
import type { Db } from '../../../db/database.ts'
import type { Deliveries } from '../../../deliveries/deliveries.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Meeting } from '../../../meetings/meeting.ts'
import type { Meetings } from '../../../meetings/meetings.ts'
import { listMeetingRemovals } from '../../../meetings/removal.ts'
import { isFinalStatus } from '../../../meetings/status.ts'
import type { Recaps } from '../../../recap/recaps.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { MEETING_SURFACES, type ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT, PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  toApiMeetingDetail,
  toApiPastMeeting,
  toApiActiveMeeting,
} from '../../shapes/meetings/meeting-mapping.ts'
import {
  MeetingHistoryResponse,
  MeetingHistoryQuery,
  MeetingResponse,
  ChangeMeetingBody,
  ChangeMeetingResponse,
  ActiveMeetingsResponse,
  RemoveMeetingResponse,
  RemovalsResponse,
  RemovalsQuery,
} from '../../shapes/meetings/meetings.ts'
import { StopMeetingResponse, StopMeetingBody } from '../../shapes/meetings/start-meeting.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import { createEditRequest } from './edit-routes.ts'

type Parts = { meetings: Meetings; deliveries: Deliveries; recaps: Recaps; clock: Clock }

/** Stopping, reading, moving and removing meetings. Starting is in start-meeting-routes.ts. */
export function meetingRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  const { meetings, recaps, clock } = parts

  routes.patch('/meetings/:meetingId', {
    // Taking a meeting out of its project needs more rights than editing it. The handler checks them.
    subject: [MEETING_SUBJECT.edit, PROJECT_SUBJECT.moveIn],
    errorCodes: [
      'forbidden',
      'missing_scope',
      'meeting_active',
      'meeting_not_scheduled',
      'at_capacity',
    ],
    summary: 'Rename a meeting, move it to another project, or change a scheduled one',
    description:
      'A meeting that has ended moves with its transcript, document, recap, events, deliveries and evidence. You must be allowed to change both projects; in a private project only owners may move its meetings to another one. Its share links end. The title can change at any time; document, search and lists follow, and the path of the document stays. The join time can change while the meeting is scheduled, and the start of an imported meeting, or the use of an official transcript, afterwards.',
    body: ChangeMeetingBody,
    response: ChangeMeetingResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      const { project, title, joinAt, startedAt, officialTranscript } = request.body
      const actor = readAuditActor(request)
      const changed = await meetings.change(
        request.viewer,
        meetingId,
        {
          project,
          title,
          joinAt: toDate(joinAt),
          startedAt: toDate(startedAt),
          officialTranscript,
        },
        {
          ...createEditRequest(request, { recaps, clock }),
          async beforeMove(tx, { meeting, previousProject }) {
            const detail = `${previousProject} → ${meeting.project}`
            const now = clock.now()
            await appendAudit(tx, now, actor, 'meeting moved', meetingId, detail)
            await endSharesAudited(tx, { meetingId }, 'moved', { actor, now })
          },
        },
      )
      if (startedAt !== undefined || officialTranscript !== undefined)
        recaps.afterEdit(request.params.meetingId)
      return toApiActiveMeeting(changed)
    },
  })

  routes.post('/meetings/stop', {
    subject: MEETING_SUBJECT.editInBody,
    summary: 'Leave a meeting',
    description:
      'Stops transcribing. Returns `stopping`, or the final status when the meeting has already ended or had not begun.',
    body: StopMeetingBody,
    response: StopMeetingResponse,
    handler: async (request) => {
      const { meetingId } = request.body
      return { meetingId, status: await meetings.stop(meetingId) }
    },
  })

  routes.delete('/meetings/:meetingId', {
    subject: MEETING_SUBJECT.edit,
    errorCodes: ['meeting_active'],
    summary: 'Remove a meeting that has ended',
    description: 'Deletes all its data, also its document, and reports the amounts.',
    response: RemoveMeetingResponse,
    handler: async (request) => {
      const by = request.token?.id ?? request.signedIn?.user.id
      assert(by)
      const { meetingId, counts } = await meetings.remove(
        request.viewer,
        request.params.meetingId,
        by,
      )
      return { success: true as const, meetingId, removed: counts }
    },
  })
  meetingReadRoutes(app, surface, parts)
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

/** One line about each meeting, by id: the beginning of its recap, or the last words while it is active. */
async function readGistsOfMeetings(
  { meetings, recaps }: Parts,
  listed: readonly Meeting[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (isOver: boolean) =>
    listed.filter(({ status }) => isFinalStatus(status) === isOver).map(({ id }) => id)
  const [gists, lines] = await Promise.all([
    recaps.readGists(idsOf(true)),
    meetings.lastLines(idsOf(false)),
  ])
  return new Map([...gists, ...lines])
}

function meetingReadRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  const { meetings, deliveries } = parts
  routes.get('/meetings/status', {
    subject: 'list',
    summary: 'Active meetings',
    description: 'Oldest first, each with the state of its callbacks.',
    response: ActiveMeetingsResponse,
    handler: async (request) => {
      const active = await meetings.listActive(request.viewer)
      const summaries = await deliveries.summaries(active.map(({ id }) => id))
      const gists = await readGistsOfMeetings(parts, active)
      return {
        meetings: active.map((meeting) => ({
          ...toApiActiveMeeting(meeting),
          delivery: summaries.get(meeting.id) ?? null,
          gist: gists.get(meeting.id) ?? null,
        })),
      }
    },
  })

  routes.get('/meetings', {
    subject: 'list',
    summary: 'Meetings, newest first',
    description:
      'Scheduled, active and ended meetings, page by page. Scheduled meetings are sorted by their join time, so the latest of them comes first.',
    query: MeetingHistoryQuery,
    response: MeetingHistoryResponse,
    handler: async (request) => {
      const { q: text, begun, retried, limit, cursor, ...filter } = request.query
      const page = await meetings.history(
        request.viewer,
        { ...filter, text, hasBegun: begun === 'true', isLastAttempt: retried === 'false' },
        resolvePageSize(limit),
        cursor,
      )
      const gists = await readGistsOfMeetings(parts, page.meetings)
      return {
        meetings: page.meetings.map((meeting) => ({
          ...toApiPastMeeting(meeting),
          gist: gists.get(meeting.id) ?? null,
        })),
        nextCursor: page.nextCursor,
      }
    },
  })

  routes.get('/meetings/:meetingId', {
    subject: MEETING_SUBJECT.read,
    summary: 'One meeting',
    description:
      'Everything but its transcript: status changes, participants, talk time, insights, warnings.',
    response: MeetingResponse,
    handler: async (request) => {
      const detail = await meetings.detail(request.viewer, request.params.meetingId)
      const { id } = detail.meeting
      const delivery = (await deliveries.summaries([id])).get(id) ?? null
      return { meeting: { ...toApiMeetingDetail(detail), delivery } }
    },
  })
}

/** Lists removed meetings, with who removed them and how much data was deleted. */
export function removalReportRoutes(app: FastifyApp, { db }: { db: Db }): void {
  const routes = defineRoutes(app, MEETING_SURFACES.publicApi, 'Meetings')

  routes.get('/removals', {
    subject: 'list',
    summary: 'Removed meetings, newest first',
    description: 'Who removed each meeting, and how much data was deleted.',
    query: RemovalsQuery,
    response: RemovalsResponse,
    handler: async (request) => {
      const { limit, cursor } = request.query
      const { removals, nextCursor } = await listMeetingRemovals(
        db,
        request.viewer,
        resolvePageSize(limit),
        cursor,
      )
      return {
        removals: removals.map(({ counts, ...row }) => ({ ...row, removed: counts })),
        nextCursor,
      }
    },
  })
}
