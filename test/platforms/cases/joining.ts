import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor } from '../stage-run.ts'

/** Pages that differ in everything but the way through them. */
const JOIN_VARIANTS: ReadonlyArray<[title: string, knobs: KnobSettings]> = [
  ['as a guest', {}],
  ['with an account', { isSignedIn: true }],
  ['past questions about devices', { asksPermission: true }],
  ['past a notice of recording', { notice: 'recorded', hasGhosts: true }],
  ['in German', { locale: 'de', obeysAddressLocale: false, asksPermission: true }],
  [
    'in Italian',
    { locale: 'it', obeysAddressLocale: false, asksPermission: true, notice: 'notes' },
  ],
  ['in Hungarian', { locale: 'hu', obeysAddressLocale: false }],
  [
    'through the earlier page',
    { generation: 'earlier', labelsHaveKeys: true, toolbarHidesAfterMs: 30_000 },
  ],
  ['past a bar that hides', { toolbarHidesAfterMs: 30_000, hasAudioElements: false }],
  ['through the light client', { client: 'light', asksPermission: true }],
  ['through a client that changes on the way', { client: 'light', turnsFull: true }],
  ['without the library, as a host', { hasInternals: false, view: 'host' }],
  [
    'without the library, as a guest of an earlier page',
    { hasInternals: false, isShortcutDeaf: true, generation: 'earlier' },
  ],
]

const ways: ConformanceCase[] = JOIN_VARIANTS.map(([title, knobs]) => [
  `the bot gets in ${title}, and has captions and people`,
  async (company) => {
    const rehearsal = startStageRun(company, { knobs })
    const { show, waitForEvent, stop, finished } = rehearsal
    await show.until('knocked')
    show.lobby()
    await waitForEvent('lobby')
    await admitBot(rehearsal)
    await show.say('ana', 'Everybody can hear this.')
    await waitFor(() =>
      rehearsal.wordsBySpeaker()['Ana Ribeiro'] === 'Everybody can hear this.' ? true : null,
    )
    const { people } = await waitForEvent('people')
    assert.deepEqual(
      people.map(({ name, isHost = false }) => [name, isHost]),
      [
        ['Ana Ribeiro', true],
        ['Ben Carter', false],
      ],
    )
    const [guest] = show.audience.guests
    if (!knobs.isSignedIn) assert.equal(guest?.participant.name, 'Notes Bot')
    stop()
    assert.equal(await finished, null)
    assert.deepEqual(
      rehearsal.events
        .filter(({ kind }) => ['door', 'lobby', 'admitted'].includes(kind))
        .map(({ kind }) => kind),
      ['door', 'lobby', 'admitted'],
    )
  },
])

export const joinCases: readonly ConformanceCase[] = [
  ...ways,
  [
    'who is let in at once was never in a lobby',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { door: 'call' } })
      await rehearsal.waitForEvent('admitted')
      rehearsal.stop()
      await rehearsal.finished
      assert.ok(!rehearsal.events.some(({ kind }) => kind === 'lobby'))
    },
  ],
  [
    'a title that speaks of ends is only a title',
    async (company) => {
      const title = 'Removed from the meeting: why the call ended. Check your meeting code'
      const rehearsal = startStageRun(company, { title })
      const { show, waitForEvent } = rehearsal
      await show.until('knocked')
      show.lobby()
      await waitForEvent('lobby')
      await admitBot(rehearsal)
      rehearsal.stop()
      assert.equal(await rehearsal.finished, null)
    },
  ],
  [
    'a meeting that has not begun is waited for, then entered',
    async (company) => {
      const rehearsal = startStageRun(company, {
        knobs: { door: 'host-absent' },
        timeouts: { lobbyEvidenceMs: 100 },
      })
      await rehearsal.waitForEvent('not started')
      // Whoever gives up waiting later does not ask the bot what it saw.
      assert.equal((await rehearsal.waitForEvent('evidence')).evidence.state, 'not started')
      await admitBot(rehearsal)
      rehearsal.stop()
      assert.equal(await rehearsal.finished, null)
    },
  ],
  [
    'a page that never becomes a meeting ends in page_not_loaded, with evidence',
    async (company) => {
      const timeouts = { arriveMs: 3_000, loadingMs: 500 }
      const rehearsal = startStageRun(company, { knobs: { opening: 'splash' }, timeouts })
      assert.equal((await rehearsal.finished)?.because, 'page_not_loaded')
      assert.equal(rehearsal.evidence().length, 1)
    },
  ],
  [
    'an address at which there is something else ends in page_not_loaded, with evidence',
    async (company) => {
      const url = new URL('/something/else', company.profile.address()).href
      const rehearsal = startStageRun(company, {
        joinRequest: { link: { url, room: 'x', label: 'x' } },
        timeouts: { arriveMs: 2_000 },
      })
      assert.equal((await rehearsal.finished)?.because, 'page_not_loaded')
      assert.equal(rehearsal.evidence().length, 1)
    },
  ],
  [
    'a host that cannot be reached ends in page_not_loaded with the name of the trouble',
    async (company) => {
      const address = { url: 'https://unreachable.example/abc', room: 'x', label: 'x' }
      const rehearsal = startStageRun(company, { joinRequest: { link: address } })
      const over = await rehearsal.finished
      assert.equal(over?.because, 'page_not_loaded')
      assert.match(over.detail ?? '', /ERR_NAME_NOT_RESOLVED/)
    },
  ],
]
