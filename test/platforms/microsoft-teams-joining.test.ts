import { strict as assert } from 'node:assert'
import { createMicrosoftTeams } from '../../src/platforms/microsoft-teams/index.ts'
import { joins } from './conformance.ts'
import { TEAMS } from './profiles.ts'
import { rehearse, soon } from './rehearsal.ts'

joins(TEAMS, [
  [
    'a registered bot says so by a token that no evidence shows',
    async (company) => {
      const identify = () => Promise.resolve({ token: 'header.body.signature', problem: null })
      const profile = {
        ...company.profile,
        create: (parts: Parameters<typeof TEAMS.create>[0]) =>
          createMicrosoftTeams({ ...parts, identify }),
      }
      const rehearsal = rehearse({ ...company, profile }, { knobs: { opening: 'bad-code' } })
      await soon(() => {
        const address = rehearsal.pool.seats()[0]?.page.url() ?? ''
        return address.endsWith('#token=header.body.signature') ? true : null
      })
      assert.equal((await rehearsal.over)?.because, 'meeting_not_found')
      assert.doesNotMatch(JSON.stringify(rehearsal.sightings), /header\.body/)
    },
  ],
  [
    'a page that does not go on after the knock ends in page_not_loaded',
    async (company) => {
      const patience = { arriveMs: 25_000, loadingMs: 60_000 }
      const rehearsal = rehearse(company, { knobs: { door: 'splash' }, patience })
      const over = await rehearsal.over
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /request to join/)
    },
  ],
])
