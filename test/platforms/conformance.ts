import { test } from 'node:test'
import { callCases } from './cases/call.ts'
import { chatCases } from './cases/chat.ts'
import { captionCases } from './cases/captions.ts'
import { joinCases } from './cases/joining.ts'
import { endReasonCases } from './cases/end-reasons.ts'
import { hostileCases } from './cases/hostile.ts'
import { promptCases } from './cases/prompts.ts'
import { lobbyStopCase } from './cases/leaving.ts'
import { screenCases } from './cases/screens.ts'
import { openSharedStageBrowser } from '../stage/stage-browser.ts'
import type { PlatformProfile, StageSetup } from './stage-run.ts'

/** A title and a behaviour that every platform must have. */
export type ConformanceCase = [title: string, run: (setup: StageSetup) => Promise<void>]

/** The cases mostly wait, so a machine with two cores can run this many concurrently. */
const AT_ONCE = 5
/** Time limits of one case, and of all cases of a suite together. */
const CASE_MS = 240_000
const ALL_MS = 900_000

/** What every platform with a meeting page must do before and after the call. */
export function testJoining(profile: PlatformProfile, more: readonly ConformanceCase[] = []): void {
  const cases = [...joinCases, ...endReasonCases(profile), ...screenCases, lobbyStopCase, ...more]
  runCases(`${profile.title} on the stage: joining and leaving`, profile, cases)
}

/** What every platform with a meeting page must do during the call. */
export function testAttending(
  profile: PlatformProfile,
  more: readonly ConformanceCase[] = [],
): void {
  // The longest first, so that the last ones do not run alone.
  const cases = [
    ...more,
    ...chatCases,
    ...captionCases,
    ...hostileCases,
    ...callCases,
    ...promptCases,
  ]
  runCases(`${profile.title} on the stage: in the call`, profile, cases)
}

/** Runs the cases on the stage and in the browser that all suites of a process share. */
function runCases(
  title: string,
  profile: PlatformProfile,
  cases: readonly ConformanceCase[],
): void {
  void test(title, { concurrency: AT_ONCE, timeout: ALL_MS }, async (suite) => {
    const setup = { profile, stageBrowser: await openSharedStageBrowser() }
    await Promise.all(
      cases.map(([title, run]) => suite.test(title, { timeout: CASE_MS }, () => run(setup))),
    )
  })
}
