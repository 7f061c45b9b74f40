import type { CalendarsArea } from '../../../calendars/area.ts'
import { PLANNED_MS } from '../../../calendars/planning/decide-attendance.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { requireViewer } from '../../pipeline/access/caller.ts'
import { UPCOMING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  addReasonText,
  UpcomingMeetingResponse,
  UpcomingParams,
  UpcomingQuery,
  UpcomingResponse,
  UpdateUpcomingBody,
} from '../../shapes/calendars.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = { area: Pick<CalendarsArea, 'listUpcoming' | 'setAttendance'>; clock: Clock }

const TAGS = ['Calendars']

/** Upcoming meetings, from calendars or scheduled without one. */
export function upcomingRoutes(app: FastifyApp, surface: ApiSurface, { area, clock }: Parts): void {
  app.get(
    `${surface.prefix}/upcoming`,
    {
      config: { ...surface.read, subject: 'list' },
      schema: {
        summary: 'Upcoming meetings, by start',
        description:
          'The meetings of your calendars, each with the reason why a bot joins or does not, and the scheduled meetings of all projects that you can read.',
        tags: TAGS,
        querystring: UpcomingQuery,
        response: { 200: UpcomingResponse },
      },
    },
    async (request) => {
      const { limit, cursor, ...given } = request.query
      const now = clock.now()
      const from = given.from === undefined ? now : new Date(given.from)
      const to = given.to === undefined ? new Date(now.getTime() + PLANNED_MS) : new Date(given.to)
      const viewer = requireViewer(request)
      const page = await area.listUpcoming(viewer, { from, to }, resolvePageSize(limit), cursor)
      return { upcoming: page.upcoming.map(addReasonText), nextCursor: page.nextCursor }
    },
  )
  app.patch(
    `${surface.prefix}/upcoming/:upcomingId`,
    {
      config: {
        ...surface.change,
        subject: UPCOMING_SUBJECT,
        errorCodes: ['upcoming_not_found', 'forbidden'],
      },
      schema: {
        summary: 'Join or skip one upcoming meeting',
        description:
          'True joins a meeting that the rules exclude, but not one without a link or of a paused calendar.',
        tags: TAGS,
        params: UpcomingParams,
        body: UpdateUpcomingBody,
        response: { 200: UpcomingMeetingResponse },
      },
    },
    async (request) => {
      const { upcomingId } = request.params
      const viewer = requireViewer(request)
      const upcoming = await area.setAttendance(viewer, upcomingId, request.body.attend)
      return { upcoming: addReasonText(upcoming) }
    },
  )
}
