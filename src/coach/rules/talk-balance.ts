import { displayName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** Who has just spoken has had most of the words, though others take part. */
export const talkBalance: CoachRule = {
  category: 'talk_balance',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent, participantCount }, rules) {
    const speaker = last?.speaker ?? ''
    const people = Math.min(recent.speakerCount(), participantCount ?? Infinity)
    const isOpen = recent.wordCount() >= rules.minBalanceWords && people >= rules.minBalanceSpeakers
    const share = recent.totalsOf(speaker).words / recent.wordCount()
    if (speaker === '' || !isOpen || share <= rules.maxTalkShare) return []
    const percent = Math.round(100 * share)
    const minutes = Math.round(rules.windowMs / 60_000)
    return [
      {
        speaker,
        title: `${displayName(speaker)} has most of the words`,
        text: `${displayName(speaker)} said ${percent} % of the words of the last ${minutes} minutes, with ${recent.speakerCount()} people speaking. Ask the others for their view.`,
        segmentNumbers: recent.segmentNumbersOf(speaker),
        key: null,
      },
    ]
  },
}
