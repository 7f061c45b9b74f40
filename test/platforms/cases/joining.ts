import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { Prompt } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, leaveCall, startStageRun, waitForAction, waitForWords } from '../stage-run.ts'
import { waitForAnswer } from './prompts.ts'

export type JoinVariant = {
  title: string
  knobs: KnobSettings
  /** Prompts over the call, and the bot's answers. */
  prompts?: ReadonlyArray<[prompt: Prompt, answer: string]>
  /** True if lesser strategies find some parts of the page. */
  drifts?: boolean
}

/** Pages before the call. A platform ignores the other platform's knobs. A unit test has the texts of every language. */
const JOIN_VARIANTS: readonly JoinVariant[] = [
  {
    title: 'past questions about cookies, devices, a companion mode and a recording',
    knobs: {
      asksAboutCookies: true,
      asksPermission: true,
      offersCompanionMode: true,
      notice: 'recorded',
      hasGhosts: true,
      hasEmptyCaptionArea: true,
    },
    prompts: [
      ['recorded', 'join'],
      ['still-there', 'stay'],
    ],
  },
  {
    title: 'in German, with a toolbar that hides',
    knobs: {
      locale: 'de',
      obeysAddressLocale: false,
      asksPermission: true,
      toolbarHidesAfterMs: 12_000,
      hasAudioElements: false,
    },
    prompts: [
      ['notes', 'join'],
      ['shared', 'join'],
    ],
  },
  {
    // A language that the page models do not know.
    title: 'in Japanese, through newer buttons without labels',
    knobs: {
      locale: 'ja',
      obeysAddressLocale: false,
      asksPermission: true,
      notice: 'notes',
      hasButtonLabels: false,
    },
    prompts: [
      ['consent', 'accept'],
      ['devices-off', 'dismiss'],
    ],
  },
  {
    title: 'through an earlier version of the page',
    knobs: {
      generation: 'earlier',
      labelsHaveKeys: true,
      toolbarHidesAfterMs: 12_000,
      hasInternals: false,
      isShortcutDeaf: true,
    },
    drifts: true,
  },
]

/** The bot joins through these pages, gets captions and participants, and leaves. */
export function joinsThrough({ title, knobs, prompts = [], drifts }: JoinVariant): ConformanceCase {
  return [
    `the bot joins ${title}`,
    async (setup) => {
      const run = startStageRun(setup, { knobs })
      const { show, waitForEvent } = run
      await waitForAction(run, 'knocked')
      show.lobby()
      await waitForEvent('lobby')
      await admitBot(run)
      for (const [prompt, answer] of prompts) {
        show.showPrompt(prompt)
        await waitForAnswer(run, `${prompt}: ${answer}`)
      }
      await show.say('ana', 'Everybody can hear this.')
      await waitForWords(run, 'Ana Ribeiro', 'Everybody can hear this.')
      const { people } = await waitForEvent('people')
      assert.deepEqual(
        people.map(({ name, isHost = false }) => [name, isHost]),
        [
          ['Ana Ribeiro', true],
          ['Ben Carter', false],
        ],
      )
      if (drifts) {
        const { drifts } = await waitForEvent('drift')
        assert.ok(drifts.every(({ foundBy }) => foundBy !== null))
        assert.ok(drifts.some(({ part }) => part === setup.profile.driftingPart))
      }
      const [guest] = show.pages.all
      assert.equal(guest?.participant.name, 'Notes Bot')
      await leaveCall(run)
      assert.deepEqual(
        run.events
          .filter(({ kind }) => ['way in', 'lobby', 'admitted'].includes(kind))
          .map(({ kind }) => kind),
        ['way in', 'lobby', 'admitted'],
      )
    },
  ]
}

export const joinCases: readonly ConformanceCase[] = [
  ...JOIN_VARIANTS.map(joinsThrough),
  [
    'a bot joins with the cookies of its account, on a second device, although a bubble covers the captions button',
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
        knobs: { isSignedIn: true, accountElsewhere: 'yes', hasCaptionsTip: true, door: 'call' },
        parts: {
          openAccount: (platform, name) => {
            assert.equal(name, 'notes')
            assert.equal(platform, setup.profile.name)
            return Promise.resolve({ cookies: [cookie], origins: [] })
          },
        },
      })
      await admitBot(run)
      const kept = await run.pool.inUse()[0]?.context.cookies()
      assert.ok(kept?.some(({ name, value }) => name === 'stage_account' && value === 'kept'))
      const [guest] = run.show.pages.all
      assert.equal(guest?.participant.name, 'Hansard Account')
      const isMoved = guest.answers.includes('second-device: move')
      assert.ok(!isMoved, 'the call on the other device goes on')
      await leaveCall(run)
      // The bot was admitted at once.
      assert.ok(!run.events.some(({ kind }) => kind === 'lobby'))
    },
  ],
  [
    'a bot that joins again moves its own call from the lost page',
    async (setup) => {
      const knobs = { isSignedIn: true, accountElsewhere: 'switch only' } as const
      const run = startStageRun(setup, { knobs, joinRequest: { wasAdmittedBefore: true } })
      await admitBot(run)
      assert.ok(run.show.pages.all[0]?.answers.includes('second-device: move'))
      await leaveCall(run)
    },
  ],
  [
    'a bot waits for a meeting that has not started and joins it, although its title mentions an end',
    async (setup) => {
      const run = startStageRun(setup, {
        title: 'Removed from the meeting: why the call ended. Check your meeting code',
        knobs: { door: 'host-absent' },
        timeouts: { lobbyEvidenceMs: 100 },
      })
      await run.waitForEvent('not started')
      // The evidence comes during the wait, because the service stops a waiting bot without asking for it.
      assert.equal((await run.waitForEvent('evidence')).evidence.state, 'not started')
      run.show.lobby()
      await run.waitForEvent('lobby')
      await admitBot(run)
      await leaveCall(run)
    },
  ],
]

// The same code runs on all platforms, so one of them is enough for each of the following.

export const endlessSplashCase: ConformanceCase = [
  'a page that never shows a meeting ends with page_not_loaded and evidence',
  async (setup) => {
    const timeouts = { arriveMs: 2_000, loadingMs: 500 }
    const run = startStageRun(setup, { knobs: { opening: 'splash' }, timeouts })
    assert.equal((await run.finished)?.because, 'page_not_loaded')
    assert.equal(run.evidence().length, 1)
  },
]

export const otherPageCase: ConformanceCase = [
  'a link to another page ends with page_not_loaded and evidence',
  async (setup) => {
    const url = new URL('/something/else', setup.profile.address()).href
    const run = startStageRun(setup, {
      joinRequest: { link: { url, room: 'x', label: 'x' } },
      timeouts: { arriveMs: 1_000 },
    })
    assert.equal((await run.finished)?.because, 'page_not_loaded')
    assert.equal(run.evidence().length, 1)
  },
]

export const unreachableHostCase: ConformanceCase = [
  'an unreachable host ends with page_not_loaded and the network error, without a screenshot',
  async (setup) => {
    const link = { url: 'https://unreachable.example/abc', room: 'x', label: 'x' }
    const run = startStageRun(setup, { joinRequest: { link } })
    const over = await run.finished
    assert.equal(over?.because, 'page_not_loaded')
    assert.match(over.detail ?? '', /ERR_NAME_NOT_RESOLVED/)
    assert.deepEqual(run.evidence(), [])
  },
]

export const unreadableAccountCase: ConformanceCase = [
  'an account that cannot be loaded ends with sign_in_required before a page opens',
  async (setup) => {
    const parts = { openAccount: () => Promise.reject(new Error('the secret is in here')) }
    const run = startStageRun(setup, { joinRequest: { account: 'notes' }, parts })
    const over = await run.finished
    assert.equal(over?.because, 'sign_in_required')
    assert.match(over.detail ?? '', /bot account notes/)
    assert.doesNotMatch(over.detail ?? '', /secret/)
  },
]
