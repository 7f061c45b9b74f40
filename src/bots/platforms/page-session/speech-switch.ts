import type { SpeechMode } from '../speech/speech-mode.ts'
import type { SessionTimeouts } from './timeouts.ts'

/**
 * What speech recognition does: nothing (`off`), recognize while captions may be missing and hold the result back
 * (`standby`), or record instead of captions (`active`).
 */
export type SpeechState = 'off' | 'standby' | 'active'

/** The status that the decision depends on. All times are milliseconds of one clock. */
export type CaptionsStatus = {
  /** True if captions are on, as far as the page says. */
  areOn: boolean
  /** True if a caption or the caption area proves it. Some pages show the area only with the first words. */
  areProven: boolean
  /** True if captions are in another language than the speech. */
  areInWrongLanguage: boolean
  /** When a caption last changed. */
  lastCaptionAt: number
}

export type SoundStatus = {
  /** True if an utterance is unfinished or waits to be recognized. */
  isBusy: boolean
  /** When sound was last heard. */
  lastSoundAt: number
  /** When the first utterance that is held back ended; Infinity if there is none. */
  heldSince: number
}

/** Explained at `SESSION_TIMEOUTS`. */
export type SpeechTimeouts = Pick<
  SessionTimeouts,
  'firstCaptionsMs' | 'captionsLostMs' | 'captionsQuietMs'
>

/**
 * Decides whether captions or speech are recorded. Exactly one of them is recorded at any time. If captions are missing
 * for a while, speech takes over, with everything that was heard since then. Captions take over again in a pause of the
 * conversation, so that no words are recorded twice.
 */
export function createSpeechSwitch(mode: Exclude<SpeechMode, 'off'>, timeouts: SpeechTimeouts) {
  let state: SpeechState = 'off'
  let standbySince = -Infinity
  let haveBeenOn = false

  function decide(captions: CaptionsStatus, sound: SoundStatus, now: number): SpeechState {
    if (mode === 'always') return 'active'
    const isUsable = captions.areOn && !captions.areInWrongLanguage
    if (state === 'active') {
      const quietSince = Math.max(sound.lastSoundAt, captions.lastCaptionAt)
      return isUsable &&
        captions.areProven &&
        !sound.isBusy &&
        now - quietSince >= timeouts.captionsQuietMs
        ? 'off'
        : 'active'
    }
    // Words without a caption prove that captions are not on.
    const isRefuted = now - sound.heldSince >= timeouts.captionsLostMs
    if (isUsable && !captions.areProven) return isRefuted ? 'active' : 'standby'
    if (isUsable) return 'off'
    // Captions in another language were recorded until now, so speech is not recorded for the time before.
    if (captions.areOn) return 'active'
    if (state === 'off') return 'standby'
    const limitMs = haveBeenOn ? timeouts.captionsLostMs : timeouts.firstCaptionsMs
    return now - standbySince >= limitMs ? 'active' : 'standby'
  }

  return {
    state: () => state,
    /** Updates the state and returns it. */
    update(captions: CaptionsStatus, sound: SoundStatus, now: number): SpeechState {
      haveBeenOn ||= captions.areOn && captions.areProven
      const next = decide(captions, sound, now)
      if (next === 'standby' && state === 'off') standbySince = now
      state = next
      return state
    },
  }
}
