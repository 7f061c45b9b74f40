import type { MeetingOptions } from '../meeting.ts'
import type { MeetingStatus } from '../status.ts'

/**
 * What a meeting's transcript is made of. `bot`: what a bot records. `official`: the platform's official transcript,
 * without a bot. `both`: what a bot records, completed by the official transcript.
 */
export const CAPTURES = ['bot', 'official', 'both'] as const
export type Capture = (typeof CAPTURES)[number]

export const DEFAULT_CAPTURE: Capture = 'bot'

/** The status of a meeting that has just begun. */
export function findFirstStatus({ capture }: Pick<MeetingOptions, 'capture'>) {
  return (capture === 'official' ? 'awaiting_transcript' : 'joining') satisfies MeetingStatus
}
