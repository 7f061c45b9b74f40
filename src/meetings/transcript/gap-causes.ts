import { formatDurationWithUnits } from '../../lib/time/duration-text.ts'

/** Why nothing was recorded, in the words of a transcript. Receivers branch on the names, so they never change. */
export const GAP_CAUSE_TEXTS = {
  /** The platform stopped showing captions, or the page lost its connection. */
  captions_lost: 'captions were lost',
  /** The bot lost its page or failed, and joined again. */
  bot_rejoined: 'the bot had to join again',
  /** The node was stopped properly. It or another node continued the meeting. */
  restarted: 'Hansard restarted',
  /** The node was killed or cut off. Another node, or the same one after a restart, continued the meeting. */
  node_lost: 'Hansard was interrupted',
  /** Some speech could not be recognized. Other speakers may have been recorded during this time. */
  speech_lost: 'some speech was not recognized',
  /** A participant paused the recording with a message in the meeting chat. */
  paused: 'paused by a participant',
} as const satisfies Record<string, string>

export type GapCause = keyof typeof GAP_CAUSE_TEXTS

/** The API declares a cause as a string, so that a new cause does not break generated clients. */
export const GAP_CAUSE_DESCRIPTION = `Why nothing was recorded: ${Object.keys(GAP_CAUSE_TEXTS).join(', ')}. There may be more in later versions`

/** What readers see in place of a gap, in all formats, on the page and in events. */
export const GAP_TEXT_DESCRIPTION = 'For people: `33 s not recorded: Hansard restarted`'

/**
 * `1 min 5 s not recorded: Hansard restarted`, or `Not recording since then: …` while the gap lasts. Leaves out a cause
 * that only later versions know.
 */
export function formatGapText(gap: {
  cause: string
  startMs: number
  endMs: number | null
}): string {
  const { cause, startMs, endMs } = gap
  const why = Object.hasOwn(GAP_CAUSE_TEXTS, cause) ? `: ${GAP_CAUSE_TEXTS[cause as GapCause]}` : ''
  return endMs === null
    ? `Not recording since then${why}`
    : `${formatDurationWithUnits(endMs - startMs)} not recorded${why}`
}
