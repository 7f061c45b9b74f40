import type { EndReasonWithDetail } from '../../record/meeting-store.ts'

/**
 * How a bot finished: `over` means the meeting ended for the bot; `released` means the meeting continues with another
 * bot.
 */
export type BotOutcome = ({ kind: 'over' } & EndReasonWithDetail) | { kind: 'released' }

export function createMeetingOverOutcome(
  reason: EndReasonWithDetail['reason'],
  detail?: string,
): BotOutcome {
  return { kind: 'over', reason, ...(detail !== undefined && { detail }) }
}
