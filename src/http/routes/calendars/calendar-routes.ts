import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import type { CalendarsArea } from '../../../calendars/area.ts'
import type { Calendar } from '../../../calendars/calendar.ts'
import type { CalendarRequest } from '../../../calendars/calendars.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { invalidField } from '../../../errors.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { CALENDAR_SUBJECT, SIGNING_TOKEN_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  CalendarResponse,
  CalendarsResponse,
  CreateCalendarBody,
  UpdateCalendarBody,
} from '../../shapes/calendars.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { calendarPreviewRoutes, toPlace } from './calendar-preview-routes.ts'

type Parts = Pick<CalendarsArea, 'calendars' | 'previews'>

const NEW_PROJECT = { ...CALENDAR_SUBJECT.project, default: DEFAULT_PROJECT }
const FIELD_ERRORS = ['callback_url_blocked', 'task_not_found', 'token_not_found'] as const

/** Calendars whose meetings bots join. A person uses their own calendars, a service token the instance's. */
export function calendarRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  const routes = defineRoutes(app, surface, 'Calendars')

  const { calendars } = parts

  routes.get('/calendars', {
    subject: 'list',
    summary: 'Your calendars by name',
    description: 'With a service token, the calendars of the instance.',
    response: CalendarsResponse,
    handler: async (request) => ({ calendars: await calendars.list(request.viewer) }),
  })

  routes.get('/calendars/:calendarId', {
    subject: CALENDAR_SUBJECT.read,
    summary: 'A calendar',
    description: 'Its address is a secret and is never returned.',
    response: CalendarResponse,
    handler: async (request) => ({
      calendar: await calendars.get(request.params.calendarId),
    }),
  })
  calendarPreviewRoutes(app, surface, parts)
  routes.idempotentPost('/calendars', {
    subject: [NEW_PROJECT, CALENDAR_SUBJECT.task, SIGNING_TOKEN_SUBJECT],
    findFieldProblems: calendars.findProblems,
    errorCodes: [...FIELD_ERRORS, 'forbidden', 'too_many_calendars', 'calendar_account_not_found'],
    summary: 'Add a calendar',
    description:
      'Bots join its meetings from now on, with your rights. It is read within a few seconds; a preview shows before that what would be joined.',
    body: CreateCalendarBody,
    status: 201,
    response: CalendarResponse,
    run(request, beforeCommit: (tx: Db, calendar: Calendar) => Promise<void>) {
      const { name, url, calendarAccountId, providerCalendarId, ...body } = request.body
      const place = toPlace({ url, calendarAccountId, providerCalendarId })
      const fields = { ...addSigningToken(request, body), name, ...place }
      return calendars.create(request.viewer, fields, readAuditActor(request), (tx: Tx, calendar) =>
        beforeCommit(tx, calendar),
      )
    },
    toResponse: (calendar) => ({ calendar }),
  })

  routes.patch('/calendars/:calendarId', {
    subject: [
      CALENDAR_SUBJECT.edit,
      CALENDAR_SUBJECT.project,
      CALENDAR_SUBJECT.task,
      SIGNING_TOKEN_SUBJECT,
    ],
    findFieldProblems: calendars.findProblems,
    errorCodes: ['forbidden', ...FIELD_ERRORS],
    summary: 'Change a calendar; only the sent fields change',
    description:
      'Meetings that wait for their time follow at once. Meetings that already take place stay as they are.',
    body: UpdateCalendarBody,
    response: CalendarResponse,
    handler: async (request) => {
      const { calendarId } = request.params
      const fields = addSigningToken(request, request.body)
      const calendar = await calendars.update(calendarId, fields, readAuditActor(request))
      return { calendar }
    },
  })

  routes.delete('/calendars/:calendarId', {
    subject: CALENDAR_SUBJECT.edit,
    summary: 'Remove a calendar',
    description:
      'With everything planned from it. Meetings that took place or take place now stay.',
    response: SuccessResponse,
    handler: async (request) => {
      await calendars.remove(request.params.calendarId, readAuditActor(request))
    },
  })

  routes.post('/calendars/:calendarId/poll', {
    subject: CALENDAR_SUBJECT.edit,
    summary: 'Read a calendar now',
    description:
      'Returns at once; `polledAt` changes when it was read. A calendar is read at most every ten seconds, and after two failures not before its next turn.',
    response: CalendarResponse,
    handler: async (request) => ({
      calendar: await calendars.pollNow(request.params.calendarId),
    }),
  })
}

/** With an API key, the key's own token signs: no key may use another token's secret. */
function addSigningToken<
  Body extends Pick<z.output<typeof UpdateCalendarBody>, 'callbackUrl' | 'tokenId'>,
>({ token }: FastifyRequest, body: Body): Body & Pick<CalendarRequest, 'tokenId'> {
  if (body.callbackUrl === null) return { ...body, tokenId: null }
  if (token === null) return body
  if (body.tokenId !== undefined && body.tokenId !== null && body.tokenId !== token.id)
    throw invalidField('tokenId', 'Must be the token of the API key of this request')
  return body.callbackUrl === undefined ? body : { ...body, tokenId: token.id }
}
