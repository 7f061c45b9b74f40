import { strict as assert } from 'node:assert'
import { openPageBridge } from '../../../src/bots/platforms/bridge/bridge.ts'
import { toPageWatcherConfig } from '../../../src/bots/platforms/bridge/build-scripts.ts'
import type { PageStateObservation } from '../../../src/bots/platforms/bridge/messages.ts'
import { decidePageState } from '../../../src/bots/platforms/page-model/page-states.ts'
import type { JoinPhase, PageMemory } from '../../../src/bots/platforms/page-model/state-rules.ts'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import { CAST } from '../../stage/stage-browser.ts'
import { createSingleBrowserPool } from '../../support/browser/single-browser-pool.ts'
import type { ConformanceCase } from '../conformance.ts'
import { waitFor, type StageSetup } from '../stage-run.ts'

/** A page without a bot. Its states are decided from the page watcher's reports. */
async function openObservedPage({ stageBrowser, profile }: StageSetup) {
  const pool = createSingleBrowserPool(stageBrowser.browser)
  const slot = await pool.acquire(
    { locale: 'en-US', mediaOrigins: [] },
    new AbortController().signal,
  )
  let observed: PageStateObservation | null = null
  await openPageBridge(slot, {
    trafficFilter: profile.trafficFilter,
    watchConfig: toPageWatcherConfig(profile.pageModel, 20),
    onMessage(message) {
      if (message.kind === 'observation') observed = message.observation
    },
  })
  return {
    page: slot.page,
    /** Waits until the page is in this state, compared as `state: end reason`. */
    async waitForState(
      phase: JoinPhase,
      expected: string,
      history: PageMemory[] = [],
    ): Promise<void> {
      let decided = ''
      const decide = () => {
        if (observed === null) return null
        const context = { phase, history, wireEndReason: null }
        const { state, because } = decidePageState(profile.pageModel, { ...observed, ...context })
        decided = because === null ? state : `${state}: ${because}`
        return decided === expected ? true : null
      }
      await waitFor(decide).catch(() => assert.equal(decided, expected))
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

export const screenCases: readonly ConformanceCase[] = [
  [
    'the page model recognizes every screen of the page, with its end reason',
    async (setup) => {
      const { profile, stageBrowser } = setup
      const blocked = profile.blockedState
      await using observed = await openObservedPage(setup)
      const { page, waitForState } = observed
      const open = async (knobs: KnobSettings) => {
        const url = profile.address()
        const show = stageBrowser.stage.open(url, { cast: CAST, knobs })
        await page.goto(url, { waitUntil: 'commit' })
        await profile.passLauncher?.(page)
        return show
      }
      for (const [opening, expected] of [
        ['blocked', blocked],
        ['captcha', 'captcha: captcha'],
        ['bad-code', 'bad link: meeting_not_found'],
        ['sign-in', 'sign-in: sign_in_required'],
      ] as const) {
        await open({ opening })
        await waitForState('arriving', expected)
      }
      const show = await open({ door: 'lobby' })
      await waitForState('arriving', 'prejoin')
      await profile.askToJoin(page)
      await show.waitFor('knocked')
      await waitForState('knocking', 'lobby')
      const afterLobby: ReadonlyArray<[Screen, string]> = [
        ['host-absent', 'not started'],
        ['denied', 'denied: denied'],
        ['no-answer', 'no answer: no_answer'],
        ['blocked', blocked],
        ['bot-detected', 'blocked: blocked_by_platform'],
        ['captcha', 'captcha: captcha'],
      ]
      for (const [screen, expected] of afterLobby) {
        show.showScreen(screen)
        await waitForState('knocking', expected, ['lobby'])
      }
      show.join('ana', 'ben')
      show.admit()
      await waitForState('knocking', 'in call')
      for (const [screen, expected] of [
        ['removed', 'removed: removed'],
        ['ended', 'ended: host_ended'],
      ] as const) {
        show.showScreen(screen)
        await waitForState('inside', expected)
      }
    },
  ],
]
