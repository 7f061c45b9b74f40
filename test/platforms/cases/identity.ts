import { strict as assert } from 'node:assert'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor } from '../stage-run.ts'

const TWINS = [
  { id: 'ana', name: 'Sam Lee', isHost: true },
  { id: 'ben', name: 'Sam Lee' },
]

/** Names of participants and the account of the bot. */
export const identityCases: readonly ConformanceCase[] = [
  ...[true, false].map((hasRoster): ConformanceCase => [
    `two participants with the same name stay separate ${hasRoster ? 'on the wire' : 'in the participant list'}`,
    async (setup) => {
      const run = startStageRun(setup, { knobs: { hasRoster }, cast: TWINS })
      await admitBot(run)
      const two = await waitFor(() => {
        const last = run.events.findLast(({ kind }) => kind === 'people')
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
      run.stop()
      await run.finished
    },
  ]),
  [
    'a bot with an account joins with the cookies and storage of the account',
    async (setup) => {
      const cookie = {
        name: 'stage_account',
        value: 'kept',
        domain: new URL(setup.profile.address()).hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax' as const,
      }
      const run = startStageRun(setup, {
        joinRequest: { account: 'notes' },
        knobs: { isSignedIn: true },
        parts: {
          openAccount: (platform, name) => {
            assert.equal(name, 'notes')
            assert.equal(platform, setup.profile.name)
            return Promise.resolve({ cookies: [cookie], origins: [] })
          },
        },
      })
      await run.show.waitFor('knocked')
      const kept = await run.pool.inUse()[0]?.context.cookies()
      assert.ok(kept?.some(({ name, value }) => name === 'stage_account' && value === 'kept'))
      run.stop()
      await run.finished
    },
  ],
  [
    'an account that cannot be loaded ends with sign_in_required before a page opens',
    async (setup) => {
      const parts = { openAccount: () => Promise.reject(new Error('the secret is in here')) }
      const run = startStageRun(setup, { joinRequest: { account: 'notes' }, parts })
      const over = await run.finished
      assert.equal(over?.because, 'sign_in_required')
      assert.match(over.detail ?? '', /bot account notes/)
      assert.doesNotMatch(over.detail ?? '', /secret/)
    },
  ],
]
