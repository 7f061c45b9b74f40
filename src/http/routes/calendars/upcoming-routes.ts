import type { BriefCollector } from '../../../brief/collect-brief.ts'
import type { CalendarsArea } from '../../../calendars/area.ts'
import { PLANNED_MS } from '../../../calendars/planning/decide-attendance.ts'
import { ServiceError } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { READ_UPCOMING_SUBJECT, UPCOMING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { BriefResponse, toApiBrief } from '../../shapes/brief.ts'
import {
  addReasonText,
  UpcomingMeetingResponse,
  UpcomingQuery,
  UpcomingResponse,
  UpdateUpcomingBody,
} from '../../shapes/calendars.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = {
  area: Pick<CalendarsArea, 'listUpcoming' | 'setAttendance'>
  collectBrief: BriefCollector
  clock: Clock
}

/** Upcoming meetings, from calendars or scheduled without one. */
export function upcomingRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { area, clock, collectBrief }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Calendars')

  routes.get('/upcoming/:upcomingId/brief', {
    subject: READ_UPCOMING_SUBJECT,
    summary: 'What to know before an upcoming meeting',
    description:
      'Earlier meetings of the series and with the same people, what was decided, what is still open, and related documents: only what you can read.',
    response: BriefResponse,
    handler: async (request) => {
      const brief = await collectBrief(request.viewer, request.params.upcomingId)
      if (brief === null) throw new ServiceError('upcoming_not_found')
      return toApiBrief(brief)
    },
  })

  routes.get('/upcoming', {
    subject: 'list',
    summary: 'Upcoming meetings, by start',
    description:
      'The meetings of your calendars, each with the reason why a bot joins or does not, and the scheduled meetings of all projects that you can read.',
    query: UpcomingQuery,
    response: UpcomingResponse,
    handler: async (request) => {
      const { limit, cursor, ...given } = request.query
      const now = clock.now()
      const from = given.from === undefined ? now : new Date(given.from)
      const to = given.to === undefined ? new Date(now.getTime() + PLANNED_MS) : new Date(given.to)
      const viewer = request.viewer
      const page = await area.listUpcoming(viewer, { from, to }, resolvePageSize(limit), cursor)
      return { upcoming: page.upcoming.map(addReasonText), nextCursor: page.nextCursor }
    },
  })

  routes.patch('/upcoming/:upcomingId', {
    subject: UPCOMING_SUBJECT,
    summary: 'Join or skip one upcoming meeting',
    description:
      'True joins a meeting that the rules exclude, but not one without a link or of a paused calendar.',
    body: UpdateUpcomingBody,
    response: UpcomingMeetingResponse,
    handler: async (request) => {
      const { upcomingId } = request.params
      const viewer = request.viewer
      const upcoming = await area.setAttendance(viewer, upcomingId, request.body.attend)
      return { upcoming: addReasonText(upcoming) }
    },
  })
}
