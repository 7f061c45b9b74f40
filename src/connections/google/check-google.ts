import { describeProblem, ReadProblem } from '../problems.ts'
import { describeClockDifference, type CheckAttempt, type CheckLine } from '../provider.ts'
import { SCOPES, type GoogleScope } from './access-token.ts'
import { findEvent } from './calendar-requests.ts'
import type { GoogleSession } from './google-session.ts'
import { listConferences } from './meet-requests.ts'

type Check = {
  attempt: CheckAttempt
  addresses: readonly string[]
  readsCalendar: boolean
  now: Date
}

/** More sign-ins would take too long, if Google knows none of the people. */
const MAX_TRIED_PEOPLE = 5
/** No meeting has this code. */
const UNUSED_CODE = 'aaa-aaaa-aaa'

/** Tries the key, the scopes of the delegation and whether the APIs are enabled, as the first person Google knows. */
export async function checkGoogleAccess(
  session: GoogleSession,
  { attempt, addresses, readsCalendar, now }: Check,
): Promise<{ lines: CheckLine[]; isBlocked: boolean }> {
  let person: string | null = null
  const signIn = await attempt('Sign in', 'Google accepts the key', async () => {
    person = await findKnownPerson(session, addresses.slice(0, MAX_TRIED_PEOPLE))
  })
  if (!signIn.ok) return { lines: [signIn], isBlocked: true }
  // The lines of the people say why Google knows none of them.
  if (person === null) return { lines: [signIn], isBlocked: false }
  const known: string = person
  const scopes = Object.entries(SCOPES) as Array<[GoogleScope, string]>
  const lines = [signIn]
  for (const [scope, use] of readsCalendar ? scopes : scopes.slice(0, 1))
    lines.push(
      await attempt(`Scope ${scope}`, `Granted, for ${use}`, () => session.token(known, scope)),
    )
  if (lines.some(({ ok }) => !ok)) return { lines, isBlocked: true }
  lines.push(
    await attempt('Google Meet API', 'Enabled', () =>
      listConferences(session, known, now, undefined),
    ),
  )
  if (readsCalendar)
    lines.push(
      await attempt('Google Calendar API', 'Enabled', () =>
        findEvent(session, known, UNUSED_CODE, now),
      ),
    )
  const isBlocked = lines.some(({ ok }) => !ok)
  const { serverTime } = await session.token(known, 'meetings.space.readonly')
  const difference = describeClockDifference(serverTime, now)
  if (difference !== null) {
    const { text } = describeProblem('clock_wrong', difference, 'google')
    lines.push({ name: 'Clock', ok: false, text })
  }
  return { lines, isBlocked }
}

/**
 * The first person for whom the service account may act; otherwise the first for whom Google accepts the key, but not the
 * scope. Null if it knows none of them.
 */
async function findKnownPerson(
  session: GoogleSession,
  people: readonly string[],
): Promise<string | null> {
  let withoutScope: string | null = null
  for (const person of people) {
    try {
      await session.token(person, 'meetings.space.readonly')
      return person
    } catch (error) {
      if (!(error instanceof ReadProblem)) throw error
      if (error.code === 'delegation_missing') withoutScope ??= person
      else if (error.scope !== 'organizer') throw error
    }
  }
  return withoutScope
}
