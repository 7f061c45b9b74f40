import { strict as assert } from 'node:assert'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { testJoining } from './conformance.ts'
import { TEAMS } from './profiles.ts'
import { startStageRun, waitFor } from './stage-run.ts'

testJoining(TEAMS, [
  [
    'a registered bot identifies itself with a token that the evidence does not contain',
    async (setup) => {
      const identify = () => Promise.resolve({ token: 'header.body.signature', problem: null })
      const profile = {
        ...setup.profile,
        create: (parts: Parameters<typeof TEAMS.create>[0]) =>
          createMicrosoftTeams({ ...parts, identify }),
      }
      const rehearsal = startStageRun({ ...setup, profile }, { knobs: { opening: 'bad-code' } })
      await waitFor(() => {
        const address = rehearsal.pool.inUse()[0]?.page.url() ?? ''
        return address.endsWith('#token=header.body.signature') ? true : null
      })
      assert.equal((await rehearsal.finished)?.because, 'meeting_not_found')
      assert.doesNotMatch(JSON.stringify(rehearsal.events), /header\.body/)
    },
  ],
  [
    'a page that does not continue after the request to join ends with page_not_loaded',
    async (setup) => {
      const timeouts = { arriveMs: 25_000, loadingMs: 60_000 }
      const rehearsal = startStageRun(setup, { knobs: { door: 'splash' }, timeouts })
      const over = await rehearsal.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /request to join/)
    },
  ],
])
