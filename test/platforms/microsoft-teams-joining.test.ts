import { strict as assert } from 'node:assert'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { testJoining, type ConformanceCase } from './conformance.ts'
import { TEAMS } from './profiles.ts'
import { admitBot, startStageRun, waitFor } from './stage-run.ts'

testJoining(TEAMS, [
  [
    'a request that fails before the lobby ends with page_not_loaded, not with no_answer',
    async (setup) => {
      const rehearsal = startStageRun(setup, { knobs: { door: 'no-answer' } })
      const over = await rehearsal.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /could not connect/)
    },
  ],
  ...(['same host', 'other host'] as const).map((frame): ConformanceCase => [
    `Teams in a frame of the ${frame} is joined and read`,
    async (setup) => {
      const rehearsal = startStageRun(setup, { knobs: { frame, client: 'light' } })
      await admitBot(rehearsal)
      await rehearsal.show.say('ana', 'Everybody can hear this.')
      await waitFor(() =>
        rehearsal.wordsBySpeaker()['Ana Ribeiro'] === 'Everybody can hear this.' ? true : null,
      )
      const leaving = rehearsal.show.waitFor('left')
      rehearsal.stop()
      await leaving
      assert.equal(await rehearsal.finished, null)
    },
  ]),
  [
    'an attendee of a town hall without captions ends with captions_unavailable and its cause',
    async (setup) => {
      const rehearsal = startStageRun(setup, {
        knobs: { isEvent: true, hasCaptions: false, wires: [], door: 'host-absent' },
        timeouts: { captionsMs: 2_500 },
      })
      await rehearsal.waitForEvent('not started')
      rehearsal.show.admit()
      const over = await rehearsal.finished
      assert.equal(over?.because, 'captions_unavailable')
      assert.match(over.detail ?? '', /town hall/)
    },
  ],
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
