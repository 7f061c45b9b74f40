import { strict as assert } from 'node:assert'
import { createMicrosoftTeams } from '../../src/bots/platforms/microsoft-teams/microsoft-teams.ts'
import { joinsThrough, otherPageCase, unreadableAccountCase } from './cases/joining.ts'
import { lostReaderCase } from './cases/leaving.ts'
import { testJoining } from './conformance.ts'
import { TEAMS } from './profiles.ts'
import { startStageRun, waitFor } from './stage-run.ts'

testJoining(TEAMS, [
  otherPageCase,
  unreadableAccountCase,
  lostReaderCase,
  joinsThrough({
    title: 'through a light client that becomes the full client',
    knobs: { client: 'light', turnsFull: true },
  }),
  ...(['same host', 'other host'] as const).map((frame) =>
    joinsThrough({
      title: `through the light client in a frame of the ${frame}`,
      knobs: { frame, client: 'light', asksPermission: frame === 'same host' },
    }),
  ),
  joinsThrough({
    title: 'without the calling library, as a host',
    knobs: { hasInternals: false, view: 'host', hasEmptyCaptionArea: true },
  }),
  joinsThrough({
    title: 'without the calling library, through newer buttons without labels',
    knobs: { hasInternals: false, hasButtonLabels: false },
  }),
  [
    'a request that fails before the lobby ends with page_not_loaded, not with no_answer',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { door: 'no-answer' } })
      const over = await run.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /could not connect/)
    },
  ],
  [
    'an attendee of a town hall without captions ends with captions_unavailable and its cause',
    async (setup) => {
      const run = startStageRun(setup, {
        knobs: { isEvent: true, hasCaptions: false, wires: [], door: 'host-absent' },
        timeouts: { captionsMs: 2_500 },
      })
      await run.waitForEvent('not started')
      run.show.admit()
      const over = await run.finished
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
      const run = startStageRun({ ...setup, profile }, { knobs: { opening: 'bad-code' } })
      await waitFor(() => {
        const address = run.pool.inUse()[0]?.page.url() ?? ''
        return address.endsWith('#token=header.body.signature') ? true : null
      })
      assert.equal((await run.finished)?.because, 'meeting_not_found')
      assert.doesNotMatch(JSON.stringify(run.events), /header\.body/)
    },
  ],
  [
    'a page that does not continue after the request to join ends with page_not_loaded',
    async (setup) => {
      const timeouts = { enterMs: 1_000 }
      const run = startStageRun(setup, { knobs: { door: 'splash' }, timeouts })
      const over = await run.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /request to join/)
    },
  ],
])
