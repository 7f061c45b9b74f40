import { displayName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** Many of the recent words of who has just spoken fill pauses. */
export const filler: CoachRule = {
  category: 'filler',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: true,
  find({ last, recent }, rules) {
    const speaker = last?.speaker ?? ''
    const { words, fillers } = recent.totalsOf(speaker)
    if (speaker === '' || words < rules.minFillerWords || fillers <= rules.maxFillerShare * words) {
      return []
    }
    return [
      {
        speaker,
        title: `${displayName(speaker)} uses many filler words`,
        text: `${displayName(speaker)} used ${fillers} fillers such as “um” or “you know” in the latest ${words} words. A silent pause does the same work.`,
        segmentNumbers: recent.segmentNumbersOf(speaker),
        key: null,
      },
    ]
  },
}
