import { loud } from '../../browser/quiet.ts'
import type { Room, StayEnd } from './room.ts'

/** Something that is looked after during a call, a little at a time; an end is the end of the stay. */
export type Caretaker = () => Promise<StayEnd | null>

const FIRST_PAUSE_MS = 1_500
const LONGEST_PAUSE_MS = 30_000
/** A page that shows none by then may not bear that it was quieted. */
const QUIET_TRIES = 3
/** Whatever takes so long to do nothing was given up, and may be done all the same. */
const SLOW_MS = 2_000
/** Captions that were heard so lately are on, whatever the page shows. */
const HEARD_MS = 5_000

/**
 * Keeps captions on. Turning them on is tried again with growing pauses as long as the page shows none; they
 * count as lost only when nothing is heard either.
 */
export function keepCaptions(room: Room): Caretaker {
  const { platform, eye, ear, hand, patience, now, emit, seat } = room
  const { turnOn, comesWithSpeech } = platform.captions
  let pauseMs = FIRST_PAUSE_MS
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
    if (tries === QUIET_TRIES) await room.attempt(async () => (await loud(seat), true))
    await room.attempt(async () => (await hand.wake(), true))
    hasWorked = false
    for (const act of turnOn.slice(taken)) {
      const beganAt = now()
      taken = (taken + 1) % turnOn.length
      hasWorked = await room.attempt(() => act(hand))
      if (hasWorked) taken = 0
      // Some ways only toggle: the page is looked at before the next one.
      if (hasWorked || now() - beganAt >= SLOW_MS) return
    }
  }
  /** Turned on, though there is nothing to see before somebody speaks. */
  function isBelieved(): boolean {
    return comesWithSpeech && hasWorked && !hasBeenShown
  }
  function areOn(isShown: boolean): boolean {
    return isShown || isBelieved() || now() - ear.heardAt() < HEARD_MS
  }
  function settle(isOn: boolean): void {
    if (isOn) {
      downSince = null
      haveBeenOn = true
      if (areLost) emit({ seen: 'captions back' })
      areLost = false
      return
    }
    downSince ??= now()
    if (areLost || !haveBeenOn || now() - downSince < patience.captionsLostMs) return
    areLost = true
    emit({ seen: 'captions lost', detail: `${platform.title} shows no captions any more` })
  }

  return async () => {
    const isShown = Object.hasOwn(eye.seen()?.parts ?? {}, 'captionsRegion')
    hasBeenShown ||= isShown
    if (isShown) pauseMs = FIRST_PAUSE_MS
    // Some ways only toggle: a look from before the last try would turn off what that has turned on.
    else if (!isBelieved() && room.lookedAt() - triedAt >= pauseMs) {
      if (triedAt !== -Infinity) pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      await tryToTurnOn()
      triedAt = now()
    }
    settle(areOn(isShown))
    const limit = haveBeenOn ? patience.captionsBackMs : patience.captionsMs
    const mayBeSilence = comesWithSpeech && hasWorked
    const isHopeless = downSince !== null && now() - downSince >= limit && !mayBeSilence
    return isHopeless ? { kind: 'over', because: 'captions_unavailable' } : null
  }
}
