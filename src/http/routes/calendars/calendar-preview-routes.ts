import type { CalendarsArea } from '../../../calendars/area.ts'
import type { CalendarPlace } from '../../../calendars/calendars.ts'
import type { CalendarPreview } from '../../../calendars/previews.ts'
import { invalidField } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { CALENDAR_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  addReasonText,
  CalendarPreviewResponse,
  PreviewCalendarBody,
  PreviewStoredCalendarBody,
} from '../../shapes/calendars.ts'

type Parts = Pick<CalendarsArea, 'calendars' | 'previews'>

/** Shows which meetings bots would join. Reads the calendar and stores nothing. */
export function calendarPreviewRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { calendars, previews }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Calendars')

  routes.post('/calendars/preview', {
    subject: 'own',
    rateLimit: 'starts',
    findFieldProblems: calendars.findProblems,
    errorCodes: ['calendar_unreadable', 'calendar_account_not_found'],
    summary: 'Show what bots would join, before a calendar is added',
    description:
      'Reads the calendar and applies the rules to the next two weeks. Nothing is stored.',
    body: PreviewCalendarBody,
    response: CalendarPreviewResponse,
    handler: async (request) => {
      const { url, calendarAccountId, providerCalendarId, ...rest } = request.body
      const place = toPlace({ url, calendarAccountId, providerCalendarId })
      return toApiPreview(await previews.ofPlace(request.viewer, place, rest))
    },
  })

  const url = '/calendars/:calendarId/preview'
  routes.get(url, {
    subject: CALENDAR_SUBJECT.read,
    rateLimit: 'starts' as const,
    errorCodes: ['calendar_unreadable'],
    summary: 'Show what bots would join from a calendar',
    description: 'Reads the calendar again. Nothing is stored.',
    response: CalendarPreviewResponse,
    handler: async (request) =>
      toApiPreview(await previews.ofCalendar(request.params.calendarId, {})),
  })

  routes.post(url, {
    allows: 'read',
    subject: CALENDAR_SUBJECT.read,
    rateLimit: 'starts' as const,
    findFieldProblems: calendars.findProblems,
    errorCodes: ['calendar_unreadable'],
    summary: 'Show what bots would join from a calendar with other rules',
    description: 'A rule that is not sent is taken from the calendar. Nothing is stored.',
    body: PreviewStoredCalendarBody,
    response: CalendarPreviewResponse,
    handler: async (request) =>
      toApiPreview(await previews.ofCalendar(request.params.calendarId, request.body)),
  })
}

/** Throws unless the fields name exactly one place. */
export function toPlace({
  url,
  calendarAccountId,
  providerCalendarId,
}: { [K in keyof CalendarPlace]?: string | undefined }): CalendarPlace {
  const isAccount = calendarAccountId !== undefined
  if (isAccount === (url !== undefined))
    throw invalidField('url', 'Send url, or calendarAccountId with providerCalendarId')
  if (!isAccount) return { url: url ?? '' }
  if (providerCalendarId === undefined)
    throw invalidField('providerCalendarId', 'Is needed with calendarAccountId')
  return { calendarAccountId, providerCalendarId }
}

function toApiPreview({ meetings, problems }: CalendarPreview) {
  return { meetings: meetings.map(addReasonText), problems }
}
