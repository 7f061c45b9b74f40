/*
 * Parameters in the URLs of pages. They are not in the files of the pages, which are loaded lazily, because the router
 * parses a URL before it loads the page. Every function returns undefined for an invalid value.
 */

/** Reads a URL parameter as text. Undefined if empty. Accepts numbers, which the router makes of `?q=2026`. */
export function parseTextParameter(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength) : undefined
}

/** Parses the page number of a URL. Undefined for page 1. */
export function parsePageNumberAboveOne(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined
}

export function parseChoice<Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
): Choice | undefined {
  return choices.find((choice) => choice === value)
}

export const ACCOUNT_TABS = [
  'profile',
  'sign-in',
  'calendars',
  'notifications',
  'tokens',
  'sessions',
] as const
export type AccountTab = (typeof ACCOUNT_TABS)[number]

export const SYSTEM_TABS = [
  'overview',
  'people',
  'provisioning',
  'projects',
  'bot-accounts',
  'connections',
  'models',
  'mail',
  'audit',
] as const
export type SystemTab = (typeof SYSTEM_TABS)[number]

/** The side panel's contents. The recap is in the main column, and its name stays for old links. */
export const MEETING_TABS = [
  'recap',
  'insights',
  'people',
  'notes',
  'chat',
  'document',
  'details',
  'callbacks',
  'events',
  'evidence',
] as const
export type MeetingTab = (typeof MEETING_TABS)[number]

/** What the project page shows instead of the rendered document: its source, the editor or the form for a new one. */
export const PROJECT_PAGE_VIEWS = ['raw', 'edit', 'new'] as const
