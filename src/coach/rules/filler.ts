import { formatSpeakerName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** The current speaker has used many filler words recently. */
export const fillerRule: CoachRule = {
  category: 'filler',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: true,
  find({ last, recent }, thresholds) {
    const speaker = last?.speaker ?? ''
    const { words, fillers } = recent.totalsOf(speaker)
    if (
      speaker === '' ||
      words < thresholds.minFillerWords ||
      fillers <= thresholds.maxFillerShare * words
    ) {
      return []
    }
    return [
      {
        speaker,
        title: `${formatSpeakerName(speaker)} uses many filler words`,
        text: `${formatSpeakerName(speaker)} used ${fillers} fillers such as “um” or “you know” in the last ${words} words. A silent pause works just as well.`,
        segmentNumbers: recent.segmentNumbersOf(speaker),
        key: null,
      },
    ]
  },
}
