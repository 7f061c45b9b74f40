import type { z } from 'zod'
import type { ApiHttp } from '../../network/api-requests.ts'
import type { MicrosoftCloud, MicrosoftHostsByCloud } from '../../network/microsoft-hosts.ts'
import type { GoogleHosts } from '../../network/google-hosts.ts'
import type { CalendarProviderName } from '../calendar.ts'
import type { OccurrenceWindow } from '../ics/events.ts'
import type { StoredEvent } from './stored-event.ts'

/** The application that an admin registered at a provider. */
export type CalendarApp = {
  provider: CalendarProviderName
  clientId: string
  clientSecret: string
  tenant: string | null
  cloud: MicrosoftCloud | null
}

export type ProviderHosts = { microsoft: MicrosoftHostsByCloud; google: GoogleHosts }

/** Where people sign in, and what the application asks for. */
export type OAuthEndpoints = {
  authorize: string
  token: string
  /** Where a refresh token is revoked. Null if the provider has no such address. */
  revoke: string | null
  scopes: readonly string[]
  /** Parameters that only this provider has. */
  extras: Readonly<Record<string, string>>
}

/** Requests as a connected account. Each throws a `ProviderProblem` if there is no usable answer. */
export interface ProviderApi {
  /** `path` is below the provider's base address, or a link that the provider gave. */
  readJson<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    options?: { headers?: Record<string, string>; isSync?: boolean },
  ): Promise<z.output<Shape>>
  postJson<Shape extends z.ZodType>(
    path: string,
    body: object,
    shape: Shape,
  ): Promise<z.output<Shape>>
  /** Succeeds even if there is nothing to delete. */
  delete(path: string): Promise<void>
  post(path: string, body: object): Promise<void>
}

export type ProviderApiParts = {
  http: ApiHttp
  hosts: ProviderHosts
}

export type ListedCalendar = { id: string; name: string; isPrimary: boolean }

export type EventPage = {
  changed: StoredEvent[]
  removedIds: string[]
  /** Events that could not be read. */
  unreadable: number
  /** Where the list continues: on the next page, or with the changes after this round. */
  cursor: string
  isLast: boolean
}

export type SubscriptionRequest = {
  calendarId: string
  /** The address that the provider sends reports to. */
  url: string
  /** This service's id of the subscription. */
  id: string
  /** Sent with each report. */
  token: string
  expiresAt: Date
}

export type StartedSubscription = {
  providerId: string
  resourceId: string | null
  expiresAt: Date
}

/** What differs between the providers. Each one has a row in `PROVIDERS`. */
export interface CalendarProvider {
  readonly name: CalendarProviderName
  endpoints(app: Pick<CalendarApp, 'tenant' | 'cloud'>, hosts: ProviderHosts): OAuthEndpoints
  /** The address below which all requests are, with a final slash. */
  apiBase(app: Pick<CalendarApp, 'cloud'>, hosts: ProviderHosts): string
  /** Whose account it is. */
  readIdentity(api: ProviderApi): Promise<{ subject: string; address: string }>
  listCalendars(api: ProviderApi): Promise<ListedCalendar[]>
  /** One page of the events in the window, or of the changes after a cursor. Throws `SyncStateLost` for an old cursor. */
  readEvents(
    api: ProviderApi,
    calendarId: string,
    from: { cursor: string } | { window: OccurrenceWindow },
  ): Promise<EventPage>
  subscribe(api: ProviderApi, request: SubscriptionRequest): Promise<StartedSubscription>
  unsubscribe(
    api: ProviderApi,
    subscription: { providerId: string; resourceId: string | null },
  ): Promise<void>
  /** What an error response means, if only this provider says it so. */
  findProblem(status: number, body: unknown): 'throttled' | 'api_off' | 'sync_lost' | null
}
