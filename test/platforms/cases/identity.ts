import { strict as assert } from 'node:assert'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor } from '../stage-run.ts'

const TWINS = [
  { id: 'ana', name: 'Sam Lee', isHost: true },
  { id: 'ben', name: 'Sam Lee' },
]

/** Who the bot is, and who the others are. */
export const identityCases: readonly ConformanceCase[] = [
  ...[true, false].map((hasRoster): ConformanceCase => [
    `two people of one name are two people ${hasRoster ? 'on the wire' : 'in the panel'}`,
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { hasRoster }, cast: TWINS })
      await admitBot(rehearsal)
      const two = await waitFor(() => {
        const last = rehearsal.events.findLast(({ kind }) => kind === 'people')
        return last?.kind === 'people' && last.people.length === 2 ? last.people : null
      })
      assert.deepEqual(
        two.map(({ name, isHost = false }) => [name, isHost]),
        [
          ['Sam Lee', true],
          ['Sam Lee', false],
        ],
      )
      assert.equal(new Set(two.map(({ id }) => id)).size, 2)
      rehearsal.stop()
      await rehearsal.finished
    },
  ]),
  [
    'a bot with an account brings what its browser kept',
    async (company) => {
      const cookie = {
        name: 'stage_account',
        value: 'kept',
        domain: new URL(company.profile.address()).hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax' as const,
      }
      const rehearsal = startStageRun(company, {
        joinRequest: { account: 'notes' },
        knobs: { isSignedIn: true },
        parts: {
          openAccount: (platform, name) => {
            assert.equal(name, 'notes')
            assert.equal(platform, company.profile.name)
            return Promise.resolve({ cookies: [cookie], origins: [] })
          },
        },
      })
      await rehearsal.show.until('knocked')
      const kept = await rehearsal.pool.inUse()[0]?.context.cookies()
      assert.ok(kept?.some(({ name, value }) => name === 'stage_account' && value === 'kept'))
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
  [
    'an account that cannot be opened ends in sign_in_required before any page is',
    async (company) => {
      const parts = { openAccount: () => Promise.reject(new Error('the secret is in here')) }
      const rehearsal = startStageRun(company, { joinRequest: { account: 'notes' }, parts })
      const over = await rehearsal.finished
      assert.equal(over?.because, 'sign_in_required')
      assert.match(over.detail ?? '', /bot account notes/)
      assert.doesNotMatch(over.detail ?? '', /secret/)
    },
  ],
]
