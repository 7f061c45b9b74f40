import { test } from 'node:test'
import { callCases } from './cases/call.ts'
import { captionCases } from './cases/captions.ts'
import { doorCases } from './cases/doors.ts'
import { endCases } from './cases/ends.ts'
import { hostileCases } from './cases/hostile.ts'
import { identityCases } from './cases/identity.ts'
import { leavingCases } from './cases/leaving.ts'
import { openCompany, type Company, type Profile } from './rehearsal.ts'

/** A title and what must be true of every platform. */
export type Case = [title: string, run: (company: Company) => Promise<void>]

/** Most of them wait for something most of the time; a machine of two cores has room for so many at once. */
const AT_ONCE = 5
/** For one of them, and for all together: a test of the runner counts with all that is in it. */
const CASE_MS = 240_000
const ALL_MS = 900_000

/** What every platform that lives in a page must do on its way into a call and out of it. */
export function joins(profile: Profile, more: readonly Case[] = []): void {
  const cases = [...doorCases, ...endCases(profile), ...leavingCases, ...identityCases, ...more]
  rehearseAll(`${profile.title} on the stage: in and out`, profile, cases)
}

/** What it must do in the call. */
export function attends(profile: Profile, more: readonly Case[] = []): void {
  const cases = [...captionCases, ...callCases, ...hostileCases, ...more]
  rehearseAll(`${profile.title} on the stage: in the call`, profile, cases)
}

/** On the stage and in a real browser, both shared by all. */
function rehearseAll(title: string, profile: Profile, cases: readonly Case[]): void {
  void test(title, { concurrency: AT_ONCE, timeout: ALL_MS }, async (suite) => {
    await using company = await openCompany(profile)
    await Promise.all(
      cases.map(([title, run]) => suite.test(title, { timeout: CASE_MS }, () => run(company))),
    )
  })
}
