/** Why nothing was recorded for a while, and how a transcript says it. Receivers branch on the names, so they never change. */
export const GAP_CAUSE_TEXTS = {
  /** The platform stopped showing captions, or the page lost its connection. */
  captions_lost: 'captions were lost',
  /** The bot lost its page or failed, and joined again. */
  bot_rejoined: 'the bot had to join again',
  /** The node was stopped in order. It or another node continued the meeting. */
  restarted: 'Hansard restarted',
  /** The node was killed or cut off. Another node, or the same after a restart, continued the meeting. */
  node_lost: 'Hansard was interrupted',
  /** A participant paused the record by a message in the meeting chat. */
  paused: 'paused by a participant',
} as const satisfies Record<string, string>

export type GapCause = keyof typeof GAP_CAUSE_TEXTS

/** The API declares a cause as a string, so that a new cause breaks no generated client. */
export const GAP_CAUSE_DESCRIPTION = `Why nothing was recorded: ${Object.keys(GAP_CAUSE_TEXTS).join(', ')}. There may be more in later versions`
