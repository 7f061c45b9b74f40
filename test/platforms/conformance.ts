import { test } from 'node:test'
import { callCases } from './cases/call.ts'
import { captionCases } from './cases/captions.ts'
import { joinCases } from './cases/joining.ts'
import { endReasonCases } from './cases/end-reasons.ts'
import { hostileCases } from './cases/hostile.ts'
import { identityCases } from './cases/identity.ts'
import { leavingCases } from './cases/leaving.ts'
import { openStageSetup, type StageSetup, type PlatformProfile } from './stage-run.ts'

/** A title and what must be true of every platform. */
export type ConformanceCase = [title: string, run: (company: StageSetup) => Promise<void>]

/** Most of them wait for something most of the time; a machine of two cores has room for so many at once. */
const AT_ONCE = 5
/** For one of them, and for all together: a test of the runner counts with all that is in it. */
const CASE_MS = 240_000
const ALL_MS = 900_000

/** What every platform that lives in a page must do on its way into a call and out of it. */
export function testJoining(profile: PlatformProfile, more: readonly ConformanceCase[] = []): void {
  const cases = [
    ...joinCases,
    ...endReasonCases(profile),
    ...leavingCases,
    ...identityCases,
    ...more,
  ]
  runCases(`${profile.title} on the stage: in and out`, profile, cases)
}

/** What it must do in the call. */
export function testAttending(
  profile: PlatformProfile,
  more: readonly ConformanceCase[] = [],
): void {
  const cases = [...captionCases, ...callCases, ...hostileCases, ...more]
  runCases(`${profile.title} on the stage: in the call`, profile, cases)
}

/** On the stage and in a real browser, both shared by all. */
function runCases(
  title: string,
  profile: PlatformProfile,
  cases: readonly ConformanceCase[],
): void {
  void test(title, { concurrency: AT_ONCE, timeout: ALL_MS }, async (suite) => {
    await using company = await openStageSetup(profile)
    await Promise.all(
      cases.map(([title, run]) => suite.test(title, { timeout: CASE_MS }, () => run(company))),
    )
  })
}
