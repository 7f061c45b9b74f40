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

/** Many of them wait for something; a machine of two cores has room for so many at once. */
const AT_ONCE = 4

/** What every platform that lives in a page must do, on the stage and in a real browser. */
export function conforms(profile: Profile, more: readonly Case[] = []): void {
  const cases = [
    ...doorCases,
    ...endCases(profile),
    ...captionCases,
    ...callCases,
    ...leavingCases,
    ...hostileCases,
    ...identityCases,
    ...more,
  ]
  void test(`${profile.title} on the stage`, { concurrency: AT_ONCE }, async (suite) => {
    await using company = await openCompany(profile)
    await Promise.all(cases.map(([title, run]) => suite.test(title, () => run(company))))
  })
}
