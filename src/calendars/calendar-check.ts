import { callbackBlockedError } from '../deliveries/deliveries.ts'
import { ServiceError } from '../errors.ts'
import { canonicalTimeZone } from '../lib/time/time-zone-name.ts'
import type { CalendarSettings } from './calendar-store.ts'
import type { AttendanceRules } from './calendar.ts'

/** Fields that need more than a check of their format. Absent fields are not checked. */
export type CalendarFields = {
  url?: string | undefined
  callbackUrl?: string | null | undefined
  account?: string | null | undefined
  timeZone?: string | undefined
}

type Parts = {
  /** Returns null if feeds may be read from that address, otherwise the reason why not. */
  findAddressProblem(url: string): Promise<string | null>
  findCallbackProblem(url: string): Promise<string | null>
  findAccountProblem(account: string): Promise<string | null>
}

export function createCalendarCheck(parts: Parts) {
  const findError = async (
    path: string,
    value: string | null | undefined,
    find: (value: string) => Promise<string | null>,
  ): Promise<ServiceError[]> => {
    const message = value === undefined || value === null ? null : await find(value)
    return message === null ? [] : [invalidField(path, message)]
  }
  return {
    /** Returns an error for each field with a problem. No error contains the address. */
    async findProblems({ url, callbackUrl, account, timeZone }: CalendarFields) {
      const callbackProblem = callbackUrl ? await parts.findCallbackProblem(callbackUrl) : null
      return [
        ...(await findError('url', url, (text) => parts.findAddressProblem(toFeedUrl(text)))),
        ...(callbackProblem === null ? [] : [callbackBlockedError(callbackProblem)]),
        ...(await findError('account', account, parts.findAccountProblem)),
        ...(await findError('timeZone', timeZone, async (name) =>
          canonicalTimeZone(name) === null
            ? 'Must be an IANA time zone such as Europe/Zurich'
            : null,
        )),
      ]
    },
    /** Throws if fields that depend on each other do not fit together. */
    requireConsistent({ callbackUrl, tokenId, address, rules }: CalendarSettings): void {
      if ((callbackUrl === null) !== (tokenId === null))
        throw invalidField(
          'tokenId',
          'Send both callbackUrl and tokenId, or neither: the secret of the token signs the callbacks',
        )
      requireAddressForRules(address, rules)
    },
  }
}

export type CalendarCheck = ReturnType<typeof createCalendarCheck>

/** Throws if the rules need the email address of the calendar's person. A service token has none. */
export function requireAddressForRules(address: string | null, rules: AttendanceRules): void {
  if (address === null && (rules.onlyOrganised || rules.onlyAccepted))
    throw invalidField(
      'address',
      'Is needed to know which meetings you accepted or organise: send your email address in the invitations',
    )
}

function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path, message }] })
}

/** The address to fetch. Calendar programs write `webcal://` for addresses that they read with https. */
export function toFeedUrl(text: string): string {
  return text.trim().replace(/^webcals?:\/\//i, 'https://')
}

/** The host of a valid address. It is shown to the owner. */
export function readFeedHost(url: string): string {
  return URL.parse(url)?.host ?? ''
}
