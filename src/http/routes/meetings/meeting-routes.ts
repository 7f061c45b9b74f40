import { strict as assert } from 'node:assert'
import type { Deliveries } from '../../../deliveries/deliveries.ts'
import type { Meetings } from '../../../meetings/meetings.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import {
  MeetingHistoryResponse,
  MeetingHistoryQuery,
  MeetingResponse,
  ActiveMeetingsResponse,
} from '../../shapes/meetings/meetings.ts'
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'
import { RemoveMeetingResponse } from '../../shapes/meetings/removals.ts'
import { StopMeetingResponse, StopMeetingBody } from '../../shapes/meetings/start-meeting.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import {
  toApiMeetingDetail,
  toApiPastMeeting,
  toApiActiveMeeting,
} from '../../shapes/meetings/meeting-mapping.ts'

type Parts = { meetings: Meetings; deliveries: Deliveries }

/** Stopping, reading and removing meetings. Starting one is in start-meeting-routes.ts. */
export function meetingRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { meetings, deliveries }: Parts,
): void {
  const tags = ['Meetings']

  app.post(
    `${surface.prefix}/meetings/stop`,
    {
      config: { ...surface.change, errorCodes: ['meeting_not_found'] },
      schema: {
        summary: 'Leave a meeting',
        description:
          'Stops transcribing. Returns `stopping`, or the final status when the meeting has already ended.',
        tags,
        body: StopMeetingBody,
        response: { 200: StopMeetingResponse },
      },
    },
    async (request) => {
      const { meetingId } = request.body
      return { meetingId, status: await meetings.stop(meetingId) }
    },
  )

  app.get(
    `${surface.prefix}/meetings/status`,
    {
      config: surface.read,
      schema: {
        summary: 'Active meetings',
        description: 'Oldest first, each with the state of its callbacks.',
        tags,
        response: { 200: ActiveMeetingsResponse },
      },
    },
    async () => {
      const active = await meetings.listActive()
      const summaries = await deliveries.summaries(active.map(({ id }) => id))
      return {
        meetings: active.map((meeting) => ({
          ...toApiActiveMeeting(meeting),
          delivery: summaries.get(meeting.id) ?? null,
        })),
      }
    },
  )

  app.get(
    `${surface.prefix}/meetings`,
    {
      config: surface.read,
      schema: {
        summary: 'Meetings, newest first',
        description: 'Active and ended meetings, page by page.',
        tags,
        querystring: MeetingHistoryQuery,
        response: { 200: MeetingHistoryResponse },
      },
    },
    async (request) => {
      const { q: text, limit, cursor, ...filter } = request.query
      const page = await meetings.history({ ...filter, text }, resolvePageSize(limit), cursor)
      return { meetings: page.meetings.map(toApiPastMeeting), nextCursor: page.nextCursor }
    },
  )

  app.get(
    `${surface.prefix}/meetings/:meetingId`,
    {
      config: { ...surface.read, errorCodes: ['meeting_not_found'] },
      schema: {
        summary: 'One meeting',
        description:
          'Everything but its transcript: status changes, participants, talk time, insights, warnings.',
        tags,
        params: MeetingParams,
        response: { 200: MeetingResponse },
      },
    },
    async (request) => {
      const detail = await meetings.detail(request.params.meetingId)
      const { id } = detail.meeting
      const delivery = (await deliveries.summaries([id])).get(id) ?? null
      return { meeting: { ...toApiMeetingDetail(detail), delivery } }
    },
  )

  app.delete(
    `${surface.prefix}/meetings/:meetingId`,
    {
      config: { ...surface.change, errorCodes: ['meeting_not_found', 'meeting_active'] },
      schema: {
        summary: 'Remove a meeting that has ended',
        description: 'Deletes all its data, also its document, and reports the amounts.',
        tags,
        params: MeetingParams,
        response: { 200: RemoveMeetingResponse },
      },
    },
    async (request) => {
      const by = request.token?.id ?? request.signedIn?.user.id
      assert(by)
      const { meetingId, counts } = await meetings.remove(request.params.meetingId, by)
      return { success: true as const, meetingId, removed: counts }
    },
  )
}
