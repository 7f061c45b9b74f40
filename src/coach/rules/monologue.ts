import { formatSpeakerName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** One speaker has spoken for a long time without interruption. Reported once per uninterrupted run. */
export const monologueRule: CoachRule = {
  category: 'monologue',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ run, participantCount }, thresholds) {
    if (run === null || run.speaker === '' || participantCount === 1) return []
    if (run.words < thresholds.monologueWords) return []
    return [
      {
        speaker: run.speaker,
        title: `${formatSpeakerName(run.speaker)} has been speaking for a long time`,
        text: `${formatSpeakerName(run.speaker)} has said ${run.words} words without anyone else speaking. A question to the others would bring them in.`,
        segmentNumbers: [...run.segmentNumbers],
        key: String(run.firstSegmentNumber),
      },
    ]
  },
}
