import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor } from '../stage-run.ts'

const COOKIES_AND_COMPANION: KnobSettings = { asksAboutCookies: true, offersCompanionMode: true }

/** Variants of the pages before the call. */
const JOIN_VARIANTS: ReadonlyArray<[title: string, knobs: KnobSettings]> = [
  ['as a guest', {}],
  ['with an account', { isSignedIn: true }],
  ['after questions about devices', { asksPermission: true }],
  ['after a recording notice', { notice: 'recorded', hasGhosts: true }],
  ['in German', { locale: 'de', obeysAddressLocale: false, asksPermission: true }],
  [
    'in Italian',
    { locale: 'it', obeysAddressLocale: false, asksPermission: true, notice: 'notes' },
  ],
  ['in Hungarian', { locale: 'hu', obeysAddressLocale: false }],
  ['in French', { locale: 'fr', obeysAddressLocale: false, asksPermission: true }],
  ['in Japanese', { locale: 'ja', obeysAddressLocale: false, hasButtonLabels: false }],
  ['past a question about cookies and a companion mode', COOKIES_AND_COMPANION],
  ['while captions have an empty area', { hasEmptyCaptionArea: true }],
  [
    'while captions have an empty area and the calling library cannot be reached',
    { hasEmptyCaptionArea: true, hasInternals: false, view: 'host' },
  ],
  ['while a bubble covers the captions button', { isSignedIn: true, hasCaptionsTip: true }],
  ['through newer buttons without labels', { hasButtonLabels: false, hasInternals: false }],
  [
    'through an earlier version of the page',
    { generation: 'earlier', labelsHaveKeys: true, toolbarHidesAfterMs: 30_000 },
  ],
  ['with a toolbar that hides', { toolbarHidesAfterMs: 30_000, hasAudioElements: false }],
  ['through the light client', { client: 'light', asksPermission: true }],
  ['through a light client that becomes the full client', { client: 'light', turnsFull: true }],
  ['without the calling library, as a host', { hasInternals: false, view: 'host' }],
  [
    'without the calling library, as a guest of an earlier version',
    { hasInternals: false, isShortcutDeaf: true, generation: 'earlier' },
  ],
]

const variants: ConformanceCase[] = JOIN_VARIANTS.map(([title, knobs]) => [
  `the bot joins ${title} and gets captions and participants`,
  async (setup) => {
    const run = startStageRun(setup, { knobs })
    const { show, waitForEvent, stop, finished } = run
    await show.waitFor('knocked')
    show.lobby()
    await waitForEvent('lobby')
    await admitBot(run)
    await show.say('ana', 'Everybody can hear this.')
    await waitFor(() =>
      run.wordsBySpeaker()['Ana Ribeiro'] === 'Everybody can hear this.' ? true : null,
    )
    const { people } = await waitForEvent('people')
    assert.deepEqual(
      people.map(({ name, isHost = false }) => [name, isHost]),
      [
        ['Ana Ribeiro', true],
        ['Ben Carter', false],
      ],
    )
    const [guest] = show.pages.all
    if (!knobs.isSignedIn) assert.equal(guest?.participant.name, 'Notes Bot')
    stop()
    assert.equal(await finished, null)
    assert.deepEqual(
      run.events
        .filter(({ kind }) => ['door', 'lobby', 'admitted'].includes(kind))
        .map(({ kind }) => kind),
      ['door', 'lobby', 'admitted'],
    )
  },
])

export const joinCases: readonly ConformanceCase[] = [
  ...variants,
  [
    'a bot that is admitted immediately reports no lobby',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { door: 'call' } })
      await run.waitForEvent('admitted')
      run.stop()
      await run.finished
      assert.ok(!run.events.some(({ kind }) => kind === 'lobby'))
    },
  ],
  [
    'a meeting title that mentions an end does not end the visit',
    async (setup) => {
      const title = 'Removed from the meeting: why the call ended. Check your meeting code'
      const run = startStageRun(setup, { title })
      const { show, waitForEvent } = run
      await show.waitFor('knocked')
      show.lobby()
      await waitForEvent('lobby')
      await admitBot(run)
      run.stop()
      assert.equal(await run.finished, null)
    },
  ],
  [
    'an account that is in the call on another device joins on a second device',
    async (setup) => {
      const knobs = { isSignedIn: true, accountElsewhere: 'yes' } as const
      const run = startStageRun(setup, { knobs })
      await admitBot(run)
      const answers = run.show.pages.all[0]?.answers ?? []
      assert.ok(!answers.includes('second-device: move'), 'the call on the other device goes on')
      run.stop()
      assert.equal(await run.finished, null)
    },
  ],
  [
    'a bot that joins again moves its own call from the lost page',
    async (setup) => {
      const knobs = { isSignedIn: true, accountElsewhere: 'switch only' } as const
      const run = startStageRun(setup, { knobs, joinRequest: { wasAdmittedBefore: true } })
      await admitBot(run)
      assert.ok(run.show.pages.all[0]?.answers.includes('second-device: move'))
      run.stop()
      assert.equal(await run.finished, null)
    },
  ],
  [
    'a bot after one that was never admitted leaves the call of its account on another device alone',
    async (setup) => {
      const knobs = { isSignedIn: true, accountElsewhere: 'switch only' } as const
      const run = startStageRun(setup, { knobs, joinRequest: { elapsedMs: 60_000 } })
      assert.equal((await run.finished)?.because, 'blocked_by_platform')
      const answers = run.show.pages.all[0]?.answers ?? []
      assert.ok(!answers.includes('second-device: move'), 'the call on the other device goes on')
    },
  ],
  [
    'a bot waits for a meeting that has not started and then joins it',
    async (setup) => {
      const run = startStageRun(setup, {
        knobs: { door: 'host-absent' },
        timeouts: { lobbyEvidenceMs: 100 },
      })
      await run.waitForEvent('not started')
      // The evidence comes during the wait, because the service stops a waiting bot without asking for it.
      assert.equal((await run.waitForEvent('evidence')).evidence.state, 'not started')
      await admitBot(run)
      run.stop()
      assert.equal(await run.finished, null)
    },
  ],
  [
    'a page that never shows a meeting ends with page_not_loaded and evidence',
    async (setup) => {
      const timeouts = { arriveMs: 3_000, loadingMs: 500 }
      const run = startStageRun(setup, { knobs: { opening: 'splash' }, timeouts })
      assert.equal((await run.finished)?.because, 'page_not_loaded')
      assert.equal(run.evidence().length, 1)
    },
  ],
  [
    'a link to another page ends with page_not_loaded and evidence',
    async (setup) => {
      const url = new URL('/something/else', setup.profile.address()).href
      const run = startStageRun(setup, {
        joinRequest: { link: { url, room: 'x', label: 'x' } },
        timeouts: { arriveMs: 2_000 },
      })
      assert.equal((await run.finished)?.because, 'page_not_loaded')
      assert.equal(run.evidence().length, 1)
    },
  ],
  [
    'an unreachable host ends with page_not_loaded and the network error',
    async (setup) => {
      const address = { url: 'https://unreachable.example/abc', room: 'x', label: 'x' }
      const run = startStageRun(setup, { joinRequest: { link: address } })
      const over = await run.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /ERR_NAME_NOT_RESOLVED/)
    },
  ],
]
