import { formatSpeakerName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** The current speaker said most of the recent words although several people take part. */
export const recentWordShareRule: CoachRule = {
  category: 'talk_balance',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent, participantCount }, thresholds) {
    const speaker = last?.speaker ?? ''
    const people = Math.min(recent.speakerCount(), participantCount ?? Infinity)
    const isConversation =
      recent.wordCount() >= thresholds.minBalanceWords && people >= thresholds.minBalanceSpeakers
    const share = recent.totalsOf(speaker).words / recent.wordCount()
    if (speaker === '' || !isConversation || share <= thresholds.maxTalkShare) return []
    const percent = Math.round(100 * share)
    const minutes = Math.round(thresholds.windowMs / 60_000)
    return [
      {
        speaker,
        title: `${formatSpeakerName(speaker)} is doing most of the talking`,
        text: `${formatSpeakerName(speaker)} said ${percent} % of the words in the last ${minutes} minutes, with ${recent.speakerCount()} people speaking. Ask the others for their view.`,
        segmentNumbers: recent.segmentNumbersOf(speaker),
        key: null,
      },
    ]
  },
}
