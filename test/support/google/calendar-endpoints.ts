import type { ProviderAnswer } from '../http/provider-server.ts'
import { refuse, refuseOldStyle } from './api-errors.ts'
import type { IssuedToken } from './oauth-endpoint.ts'
import { CALENDAR_SCOPE, type CalendarEvent, type Workspace } from './workspace.ts'

/*
 * `events.list` of the Google Calendar API v3 as a connection uses it, written from its discovery document. An event takes
 * half an hour here.
 */

const EVENT_MS = 1_800_000

export function answerCalendarRequest(
  workspace: Workspace,
  { person, scopes }: IssuedToken,
  { pathname, searchParams }: URL,
): ProviderAnswer {
  if (!workspace.enabledApis.includes('calendar'))
    return refuseOldStyle(
      403,
      'Google Calendar API has not been used in project 123 before or it is disabled.',
      'accessNotConfigured',
    )
  if (!scopes.includes(CALENDAR_SCOPE))
    return refuseOldStyle(403, 'Insufficient Permission', 'insufficientPermissions')
  if (pathname !== '/calendar/v3/calendars/primary/events')
    return refuse(404, 'NOT_FOUND', 'Not Found')
  const [min, max] = ['timeMin', 'timeMax'].map((name) =>
    Date.parse(searchParams.get(name) ?? ''),
  ) as [number, number]
  if (!(min < max) || searchParams.get('singleEvents') !== 'true')
    return refuseOldStyle(400, 'Bad Request', 'badRequest')
  const found = workspace.events.filter(
    ({ calendar, startAt }) =>
      calendar === person && startAt.getTime() + EVENT_MS > min && startAt.getTime() < max,
  )
  const start = Number(searchParams.get('pageToken') ?? '0')
  const end = start + Math.min(Number(searchParams.get('maxResults') ?? '250'), workspace.pageSize)
  const next = end < found.length ? { nextPageToken: String(end) } : {}
  return { status: 200, body: { items: found.slice(start, end).map(toEvent), ...next } }
}

function toEvent({ title, visibility, startAt, meetingCode, isInvitation }: CalendarEvent) {
  return {
    ...(title !== undefined && { summary: title }),
    // Google leaves out what has the default.
    ...(visibility !== 'default' && { visibility }),
    organizer: isInvitation === true ? { email: 'other@example.com' } : { self: true },
    start: { dateTime: startAt.toISOString() },
    conferenceData: { conferenceId: meetingCode },
  }
}
