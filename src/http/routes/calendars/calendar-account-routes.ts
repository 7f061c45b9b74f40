import type { CalendarsArea } from '../../../calendars/area.ts'
import type { FinishedConnection } from '../../../calendars/providers/accounts.ts'
import type { Sessions } from '../../../accounts/sign-in/sessions.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { clientIp, readAuditActor } from '../../pipeline/access/caller.ts'
import {
  identifyBrowser,
  readSessionCookie,
  readSignInCookie,
  readSingleParameters,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import { defineConsoleRoutes, defineRoutes } from '../../pipeline/define-routes.ts'
import {
  CalendarAccountsResponse,
  CalendarAppBody,
  CalendarAppResponse,
  CalendarAppsResponse,
  ConnectAccountBody,
  ConnectAccountResponse,
  ProviderCalendarsResponse,
  ProviderParameter,
} from '../../shapes/calendar-accounts.ts'
import { SuccessResponse } from '../../shapes/common.ts'

type Parts = Pick<CalendarsArea, 'accounts' | 'apps'>

const OWN = 'A service token has no accounts, because they belong to people.'

/** The accounts at providers that a person connected. Connecting one needs a browser, so it is only in the console. */
export function calendarAccountRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { accounts, apps }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Calendars')

  routes.get('/calendar-accounts', {
    subject: 'own',
    summary: 'Your connected accounts at Microsoft and Google',
    description: `You connect one in the console, under Account > Calendars. ${OWN}`,
    response: CalendarAccountsResponse,
    handler: async (request) => ({
      accounts: await accounts.list(request.viewer),
      providers: (await apps.list()).map(({ provider }) => provider),
    }),
  })

  routes.get('/calendar-accounts/:calendarAccountId/calendars', {
    subject: 'own',
    rateLimit: 'starts',
    errorCodes: ['calendar_account_not_found', 'calendar_unreadable'],
    summary: 'The calendars of a connected account',
    description: `Asks the provider. ${OWN}`,
    response: ProviderCalendarsResponse,
    handler: async (request) => ({
      calendars: await accounts.listCalendars(request.viewer, request.params.calendarAccountId),
    }),
  })

  routes.delete('/calendar-accounts/:calendarAccountId', {
    subject: 'own',
    errorCodes: ['calendar_account_not_found'],
    summary: 'Remove a connected account',
    description: `With its calendars and everything planned from them. Its tokens are deleted, and ended at the provider if it allows that. ${OWN}`,
    response: SuccessResponse,
    handler: async (request) => {
      const { calendarAccountId } = request.params
      await accounts.remove(request.viewer, calendarAccountId, readAuditActor(request))
    },
  })
}

type ConsoleParts = Pick<Parts, 'accounts'> & { sessions: Sessions; cookies: SessionCookieOptions }

/** The way to a provider and back. */
export function connectAccountRoutes(
  app: FastifyApp,
  { accounts, sessions, cookies }: ConsoleParts,
): void {
  defineConsoleRoutes(app).post('/calendar-accounts', {
    errorCodes: ['calendar_account_not_found', 'calendar_app_not_found'],
    rateLimit: 'starts',
    body: ConnectAccountBody,
    response: ConnectAccountResponse,
    handler: (request, reply) =>
      accounts.start(request.viewer, request.body, identifyBrowser(request, reply, cookies)),
  })

  // The provider sends the browser here with a GET request. The value `state`, the browser's cookie and its session
  // prove that this person began it in this browser.
  app.get(
    '/web/calendar-accounts/callback',
    { config: { access: 'same_site', subject: 'none' } },
    async (request, reply) => {
      const secret = readSessionCookie(request, cookies)
      const session = secret === null ? null : await sessions.find(secret)
      const finished = await accounts.finish({
        query: readSingleParameters(request.query),
        browser: readSignInCookie(request, cookies),
        userId: session?.user.id ?? null,
        ip: clientIp(request),
      })
      return reply.redirect(pathAfter(finished), 303)
    },
  )
}

function pathAfter(finished: FinishedConnection): string {
  const result =
    finished.outcome === 'connected'
      ? `connected=${finished.accountId}`
      : `calendarProblem=${finished.problem}`
  return `/account?tab=calendars&${result}`
}

const WHO_MAY =
  'Needs a key that is not restricted to scopes or projects: a service token, or a personal token of an admin.'

/** The applications at the providers, for admins. */
export function calendarAppRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { accounts, apps }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Connections')

  routes.get('/calendar-apps', {
    summary: 'The applications with which people connect their calendars',
    description: `Their secrets are never returned. ${WHO_MAY}`,
    response: CalendarAppsResponse,
    handler: async () => ({ apps: await apps.list(), redirectUri: accounts.redirectUri() }),
  })

  routes.put('/calendar-apps/:provider', {
    params: ProviderParameter,
    summary: 'Set the application of a provider',
    description: `With another client ID, people connect their accounts again; their rules and plans stay. ${WHO_MAY}`,
    body: CalendarAppBody,
    response: CalendarAppResponse,
    handler: async (request) => ({
      app: await apps.set(request.params.provider, request.body, readAuditActor(request)),
    }),
  })

  routes.delete('/calendar-apps/:provider', {
    params: ProviderParameter,
    errorCodes: ['calendar_app_not_found'],
    summary: 'Remove the application of a provider',
    description: `Its calendars are not read until there is one again. ${WHO_MAY}`,
    response: SuccessResponse,
    handler: async (request) => {
      await apps.remove(request.params.provider, readAuditActor(request))
    },
  })
}
