import type { CalendarProviderName } from '../calendar.ts'

/** `ended`: the person has to sign in at the provider again. */
export const CALENDAR_ACCOUNT_STATES = ['connected', 'ended'] as const
export type CalendarAccountState = (typeof CALENDAR_ACCOUNT_STATES)[number]

/** An account at a provider whose calendars a person lets this service read. Its tokens are not part of this type. */
export type CalendarAccount = {
  id: string
  provider: CalendarProviderName
  address: string
  state: CalendarAccountState
  /** How many of its calendars are read. */
  calendars: number
  connectedAt: Date
}

/** Why an account was not connected. The console has a text for each. */
export const ACCOUNT_PROBLEMS = [
  'sign_in_expired',
  'refused',
  'scope_missing',
  'other_account',
  'app_missing',
  'provider_failed',
  'too_many',
] as const
export type AccountProblem = (typeof ACCOUNT_PROBLEMS)[number]
