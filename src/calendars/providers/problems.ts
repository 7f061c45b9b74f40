import type { CalendarProviderName } from '../calendar.ts'

export const PROVIDER_LABELS: Readonly<Record<CalendarProviderName, string>> = {
  microsoft: 'Microsoft',
  google: 'Google',
}

/** Why a provider cannot be used. `{provider}` is replaced by its name, and `{}` by the details. */
const TEXTS = {
  sign_in_needed:
    'The access to the account at {provider} has ended. Reconnect the account under Account > Calendars',
  app_missing:
    'The application for {provider} is not set up. An administrator does it under System > Connections',
  app_refused:
    '{provider} refuses the application of this service ({}). An administrator checks its client ID and secret under System > Connections',
  api_off:
    'The Google Calendar API is not turned on in the project of the application. An administrator turns it on in the Google Cloud console',
  not_allowed: '{provider} does not allow this service to read the calendar',
  scope_missing:
    'The permission to read calendars was not given. Connect the account again and leave all boxes checked',
  not_found: '{provider} no longer has this calendar',
  throttled: '{provider} limits the requests. Hansard waits as long as {provider} asks',
  unreachable: '{provider} cannot be reached: {}',
  unavailable: '{provider} has a problem (status {}). Hansard tries again',
  bad_answer: '{provider} sent an answer that Hansard does not understand ({})',
  too_many_events: 'The calendar has more than 20,000 events in two weeks',
  busy: 'The access to the account is being renewed. Hansard tries again',
} as const

export type ProviderProblemCode = keyof typeof TEXTS

const MAX_DETAIL_CHARS = 200

/** A provider could not be used for a reason that people can understand. Its text quotes nothing from a calendar. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem'
  readonly code: ProviderProblemCode
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null

  constructor(
    provider: CalendarProviderName,
    code: ProviderProblemCode,
    detail = 'no details',
    retryAfterMs: number | null = null,
  ) {
    const text = TEXTS[code]
      .replaceAll('{provider}', PROVIDER_LABELS[provider])
      .replace('{}', () => detail.slice(0, MAX_DETAIL_CHARS))
    super(text)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** The provider no longer knows the state of a list of changes. Everything has to be read again. */
export class SyncStateLost extends Error {
  override readonly name = 'SyncStateLost'
}
