import type { Capture, OfficialMode } from '../../src/http/shapes/values.ts'

/** What is done with an official transcript. */
export const OFFICIAL_MODE_LABELS: Record<OfficialMode, string> = {
  keep: 'Not used',
  fill: 'Fills what the bot missed',
  replace: 'Replaces the bot’s lines',
}

/** What the transcript of a meeting is made of. */
export const CAPTURE_LABELS: Record<Capture, string> = {
  bot: 'A bot records the meeting',
  official: 'The official transcript, without a bot',
  both: 'A bot, completed by the official transcript',
}
