import { nameOf } from '../wording.ts'
import type { Rule } from './rule.ts'

/** Who has just spoken has had most of the words, though others take part. */
export const talkBalance: Rule = {
  category: 'talk_balance',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ last, recent, present }, rules) {
    const speaker = last?.speaker ?? ''
    const people = Math.min(recent.speakers(), present ?? Infinity)
    const isOpen = recent.words() >= rules.balanceWords && people >= rules.balanceSpeakers
    const share = recent.of(speaker).words / recent.words()
    if (speaker === '' || !isOpen || share <= rules.balanceShare) return []
    const percent = Math.round(100 * share)
    const minutes = Math.round(rules.windowMs / 60_000)
    return [
      {
        speaker,
        title: `${nameOf(speaker)} has most of the words`,
        text: `${nameOf(speaker)} said ${percent} % of the words of the last ${minutes} minutes, with ${recent.speakers()} people speaking. Ask the others for their view.`,
        segmentNumbers: recent.numbersOf(speaker),
        key: null,
      },
    ]
  },
}
