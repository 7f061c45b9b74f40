import { nameOf } from '../wording.ts'
import type { Rule } from './rule.ts'

/** One speaker for a long while, nobody in between. Said once for each time that somebody holds the floor. */
export const monologue: Rule = {
  category: 'monologue',
  severity: 'nudge',
  kind: 'nudge',
  needsEnglish: false,
  find({ run, present }, rules) {
    if (run === null || run.speaker === '' || present === 1) return []
    if (run.words < rules.monologueWords) return []
    return [
      {
        speaker: run.speaker,
        title: `${nameOf(run.speaker)} has been speaking for long`,
        text: `${nameOf(run.speaker)} has said ${run.words} words without anybody else speaking. A question to the others would bring them in.`,
        segmentNumbers: [...run.numbers],
        key: String(run.firstNumber),
      },
    ]
  },
}
