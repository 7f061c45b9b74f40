import { strict as assert } from 'node:assert'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { testJoining } from './conformance.ts'
import { TEAMS } from './profiles.ts'
import { startStageRun, waitFor } from './stage-run.ts'

testJoining(TEAMS, [
  [
    'a registered bot says so by a token that no evidence shows',
    async (company) => {
      const identify = () => Promise.resolve({ token: 'header.body.signature', problem: null })
      const profile = {
        ...company.profile,
        create: (parts: Parameters<typeof TEAMS.create>[0]) =>
          createMicrosoftTeams({ ...parts, identify }),
      }
      const rehearsal = startStageRun({ ...company, profile }, { knobs: { opening: 'bad-code' } })
      await waitFor(() => {
        const address = rehearsal.pool.inUse()[0]?.page.url() ?? ''
        return address.endsWith('#token=header.body.signature') ? true : null
      })
      assert.equal((await rehearsal.finished)?.because, 'meeting_not_found')
      assert.doesNotMatch(JSON.stringify(rehearsal.events), /header\.body/)
    },
  ],
  [
    'a page that does not go on after the knock ends in page_not_loaded',
    async (company) => {
      const timeouts = { arriveMs: 25_000, loadingMs: 60_000 }
      const rehearsal = startStageRun(company, { knobs: { door: 'splash' }, timeouts })
      const over = await rehearsal.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /request to join/)
    },
  ],
])
