import { z } from 'zod'
import { CALENDAR_ACCOUNT_STATES } from '../../calendars/providers/account.ts'
import { Count, Instant, NullableText, RequestWarnings } from './common.ts'
import { CALENDAR_PROVIDERS, MICROSOFT_CLOUDS } from './values.ts'

/*
 * Accounts at Microsoft and Google that people connected, and the applications that admins registered there.
 * Routes of people, each under /api/v1 and /web:
 *   GET    /calendar-accounts                                  CalendarAccountsResponse
 *   GET    /calendar-accounts/{calendarAccountId}/calendars    ProviderCalendarsResponse
 *   DELETE /calendar-accounts/{calendarAccountId}              SuccessResponse
 * Only under /web: POST /calendar-accounts                     ConnectAccountBody → ConnectAccountResponse
 * Routes of admins, each under /api/v1 and /web:
 *   GET    /calendar-apps                                      CalendarAppsResponse
 *   PUT    /calendar-apps/{provider}                           CalendarAppBody → CalendarAppResponse
 *   DELETE /calendar-apps/{provider}                           SuccessResponse
 */

const provider = z.enum(CALENDAR_PROVIDERS)
const calendarAccountId = z
  .string()
  .meta({ pattern: '^cac_[0-9A-Za-z]+$', examples: ['cac_4fJq0Zb1y9nB4Q2wKxT5'] })
/** The address of Microsoft’s sign-in contains it. */
const TENANT =
  /^(?:common|organizations|consumers|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+)$/i

export const ProviderParameter = z.object({
  provider: provider.describe('The provider: `microsoft` or `google`'),
})

export const CalendarAccount = z
  .object({
    id: calendarAccountId,
    provider,
    address: z.string().meta({ examples: ['ada@example.com'] }),
    state: z
      .enum(CALENDAR_ACCOUNT_STATES)
      .describe('`ended`: the person has to sign in at the provider again'),
    calendars: Count.meta({ examples: [1] }).describe('How many of its calendars are read'),
    connectedAt: Instant,
  })
  .meta({ id: 'CalendarAccount' })

export const CalendarAccountsResponse = z.object({
  accounts: z.array(CalendarAccount),
  providers: z.array(provider).describe('The providers whose accounts can be connected'),
})
export const ProviderCalendarsResponse = z.object({
  calendars: z.array(
    z
      .object({
        id: z
          .string()
          .meta({ examples: ['primary'] })
          .describe('To send as `providerCalendarId`'),
        name: z.string().meta({ examples: ['Work'] }),
        isPrimary: z.boolean(),
      })
      .meta({ id: 'ProviderCalendar' }),
  ),
})
export const ConnectAccountBody = z.object({
  provider,
  accountId: calendarAccountId.optional(),
})
export const ConnectAccountResponse = z.object({ url: z.string(), warnings: RequestWarnings })

const CalendarApp = z
  .object({
    provider,
    clientId: z.string().meta({ examples: ['9c1d2e3f-5a6b-4c7d-8e9f-0a1b2c3d4e5f'] }),
    tenant: NullableText.meta({ examples: ['organizations'] }).describe(
      'Microsoft: the tenant whose people may sign in, `organizations`, or `common`; null for Google',
    ),
    cloud: z.enum(MICROSOFT_CLOUDS).nullable().describe('Microsoft: the cloud; null for Google'),
    changedAt: Instant,
  })
  .meta({ id: 'CalendarApp' })

export const CalendarAppsResponse = z.object({
  apps: z.array(CalendarApp),
  redirectUri: z
    .string()
    .meta({ examples: ['https://hansard.example.com/web/calendar-accounts/callback'] })
    .describe('The redirect URI to enter at each provider'),
})
export const CalendarAppResponse = z.object({ app: CalendarApp, warnings: RequestWarnings })
export const CalendarAppBody = z
  .object({
    clientId: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[!-~]+$/, { error: 'Must be the client ID that the provider shows' })
      .describe('Application (client) ID'),
    clientSecret: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe('Value of the client secret. It is never returned; leave it out to keep it'),
    tenant: z
      .string()
      .trim()
      .max(200)
      .regex(TENANT, { error: 'Must be organizations, common, or the ID or domain of a tenant' })
      .meta({ default: 'common' })
      .optional()
      .describe('Microsoft: whose people may sign in'),
    cloud: z.enum(MICROSOFT_CLOUDS).meta({ default: 'global' }).optional(),
  })
  .meta({
    examples: [{ clientId: '9c1d2e3f-5a6b-4c7d-8e9f-0a1b2c3d4e5f', tenant: 'organizations' }],
  })

export type ApiCalendarAccount = z.input<typeof CalendarAccount>
export type ApiCalendarAccounts = z.input<typeof CalendarAccountsResponse>
export type ApiCalendarApp = z.input<typeof CalendarApp>
export type ApiCalendarApps = z.input<typeof CalendarAppsResponse>
export type ApiProviderCalendars = z.input<typeof ProviderCalendarsResponse>
