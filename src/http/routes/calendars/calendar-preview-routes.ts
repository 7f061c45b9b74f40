import type { CalendarsArea } from '../../../calendars/area.ts'
import type { CalendarPreview } from '../../../calendars/previews.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { requireViewer } from '../../pipeline/access/caller.ts'
import { CALENDAR_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  addReasonText,
  CalendarParams,
  CalendarPreviewResponse,
  PreviewCalendarBody,
  PreviewStoredCalendarBody,
} from '../../shapes/calendars.ts'

type Parts = Pick<CalendarsArea, 'calendars' | 'previews'>

const TAGS = ['Calendars']

/** Shows which meetings bots would join. Reads the calendar and stores nothing. */
export function calendarPreviewRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { calendars, previews }: Parts,
): void {
  const response = { 200: CalendarPreviewResponse }
  app.post(
    `${surface.prefix}/calendars/preview`,
    {
      config: {
        ...surface.change,
        subject: 'own',
        rateLimit: 'starts',
        errorCodes: ['calendar_unreadable'],
        findFieldProblems: calendars.findProblems,
      },
      schema: {
        summary: 'Show what bots would join, before a calendar is added',
        description:
          'Reads the calendar and applies the rules to the next two weeks. Nothing is stored.',
        tags: TAGS,
        body: PreviewCalendarBody,
        response,
      },
    },
    async (request) => {
      const { url, ...rest } = request.body
      return toApiPreview(await previews.ofAddress(requireViewer(request), url, rest))
    },
  )
  const config = {
    ...surface.read,
    subject: CALENDAR_SUBJECT.read,
    rateLimit: 'starts' as const,
    errorCodes: ['calendar_not_found', 'calendar_unreadable'] as const,
  }
  const url = `${surface.prefix}/calendars/:calendarId/preview`
  app.get(
    url,
    {
      config,
      schema: {
        summary: 'Show what bots would join from a calendar',
        description: 'Reads the calendar again. Nothing is stored.',
        tags: TAGS,
        params: CalendarParams,
        response,
      },
    },
    async (request) => toApiPreview(await previews.ofCalendar(request.params.calendarId, {})),
  )
  app.post(
    url,
    {
      config: { ...config, findFieldProblems: calendars.findProblems },
      schema: {
        summary: 'Show what bots would join from a calendar with other rules',
        description: 'Rules that are not sent are those of the calendar. Nothing is stored.',
        tags: TAGS,
        params: CalendarParams,
        body: PreviewStoredCalendarBody,
        response,
      },
    },
    async (request) =>
      toApiPreview(await previews.ofCalendar(request.params.calendarId, request.body)),
  )
}

function toApiPreview({ meetings, problems }: CalendarPreview) {
  return { meetings: meetings.map(addReasonText), problems }
}
