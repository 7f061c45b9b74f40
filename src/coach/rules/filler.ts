import { nameOf } from '../wording.ts'
import type { Rule } from './rule.ts'

/** Many of the recent words of who has just spoken fill pauses. */
export const filler: Rule = {
  category: 'filler',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: true,
  find({ last, recent }, rules) {
    const speaker = last?.speaker ?? ''
    const { words, fillers } = recent.of(speaker)
    if (speaker === '' || words < rules.fillerWords || fillers <= rules.fillerShare * words) {
      return []
    }
    return [
      {
        speaker,
        title: `${nameOf(speaker)} uses many filler words`,
        text: `${nameOf(speaker)} used ${fillers} fillers such as “um” or “you know” in the latest ${words} words. A silent pause does the same work.`,
        segmentNumbers: recent.numbersOf(speaker),
        key: null,
      },
    ]
  },
}
