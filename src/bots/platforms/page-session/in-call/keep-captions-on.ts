import { disableLowPower } from '../../../browser/page/low-power.ts'
import type { PageSession, SessionEnd } from '../page-session.ts'

/** Something that is looked after during a call, a little at a time; an end is the end of the stay. */
export type InCallTask = () => Promise<SessionEnd | null>

const FIRST_RETRY_MS = 1_500
const MAX_RETRY_MS = 30_000
/** A page that shows none by then may not bear that it was quieted. */
const LOW_POWER_TRIES = 3
/** Whatever takes so long to do nothing was given up, and may be done all the same. */
const SLOW_ACTION_MS = 2_000
/** Captions that were heard so lately are on, whatever the page shows. */
const RECENT_CAPTION_MS = 5_000

/**
 * Keeps captions on. Turning them on is tried again with growing pauses as long as the page shows none; they
 * count as lost only when nothing is heard either.
 */
export function keepCaptionsOn(session: PageSession): InCallTask {
  const { platform, pageState, captionReader, pageActions, timeouts, now, emit, slot } = session
  const { turnOn, appearsOnlyWithSpeech } = platform.captions
  let pauseMs = FIRST_RETRY_MS
  let triedAt = -Infinity
  let tries = 0
  /** The ways that this try need not take again. */
  let taken = 0
  let hasBeenShown = false
  /** The last try did something, for all we know. */
  let hasWorked = false
  let haveBeenOn = false
  let downSince: number | null = null
  let areLost = false

  async function tryToTurnOn(): Promise<void> {
    tries += 1
    if (tries === LOW_POWER_TRIES)
      await session.tryOnPage('disable low power', async () => (await disableLowPower(slot), true))
    await session.movePointer()
    hasWorked = false
    for (const act of turnOn.slice(taken)) {
      const beganAt = now()
      taken = (taken + 1) % turnOn.length
      hasWorked = await session.tryOnPage('turn captions on', () => act(pageActions))
      if (hasWorked) taken = 0
      // Some ways only toggle: the page is looked at before the next one.
      if (hasWorked || now() - beganAt >= SLOW_ACTION_MS) return
    }
  }
  /** Turned on, though there is nothing to see before somebody speaks. */
  function isBelieved(): boolean {
    return appearsOnlyWithSpeech && hasWorked && !hasBeenShown
  }
  function areOn(isShown: boolean): boolean {
    return isShown || isBelieved() || now() - captionReader.lastCaptionAt() < RECENT_CAPTION_MS
  }
  function settle(isOn: boolean): void {
    if (isOn) {
      downSince = null
      haveBeenOn = true
      if (areLost) emit({ kind: 'captions back' })
      areLost = false
      return
    }
    downSince ??= now()
    if (areLost || !haveBeenOn || now() - downSince < timeouts.captionsLostMs) return
    areLost = true
    emit({ kind: 'captions lost', detail: `${platform.title} shows no captions any more` })
  }

  return async () => {
    const isShown = Object.hasOwn(pageState.observation()?.parts ?? {}, 'captionsRegion')
    hasBeenShown ||= isShown
    if (isShown) pauseMs = FIRST_RETRY_MS
    // Some ways only toggle: a look from before the last try would turn off what that has turned on.
    else if (!isBelieved() && session.observedAt() - triedAt >= pauseMs) {
      if (triedAt !== -Infinity) pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)
      await tryToTurnOn()
      triedAt = now()
    }
    settle(areOn(isShown))
    const limit = haveBeenOn ? timeouts.captionsBackMs : timeouts.captionsMs
    const mayBeSilence = appearsOnlyWithSpeech && hasWorked
    const isHopeless = downSince !== null && now() - downSince >= limit && !mayBeSilence
    return isHopeless ? { kind: 'over', because: 'captions_unavailable' } : null
  }
}
