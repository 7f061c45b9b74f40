import { displayName } from '../text/display-text.ts'
import type { CoachRule } from './rule.ts'

/** One speaker for a long while, nobody in between. Said once for each time that somebody holds the floor. */
export const monologue: CoachRule = {
  category: 'monologue',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ run, participantCount }, rules) {
    if (run === null || run.speaker === '' || participantCount === 1) return []
    if (run.words < rules.monologueWords) return []
    return [
      {
        speaker: run.speaker,
        title: `${displayName(run.speaker)} has been speaking for long`,
        text: `${displayName(run.speaker)} has said ${run.words} words without anybody else speaking. A question to the others would bring them in.`,
        segmentNumbers: [...run.segmentNumbers],
        key: String(run.firstSegmentNumber),
      },
    ]
  },
}
