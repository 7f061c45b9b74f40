import { isQuestion } from '../sentences.ts'
import { nameOf, quote } from '../wording.ts'
import { around, englishSentences, hasCondition, isUndone, keyOf } from './english.ts'
import type { Rule } from './rule.ts'

const HINT =
  /\b(?:decided|agreed|concluded|settled|decision|go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on)\b/i

const STATED: readonly RegExp[] = [
  /\b(?:we|everyone|everybody|the (?:team|board|group|committee))(?:'ve|'s)?(?: (?:have|has|all|both|just|now|finally|then|also|therefore)){0,3} (?:decided|agreed|concluded|settled) (?:to|that|on|upon|not|against|we|we'll|we're|it|it's|the|this|for)\b/i,
  /\bi(?:'ve)?(?: (?:have|just|now|finally|also|therefore)){0,3} decided (?:to|that|on|upon|not|against|we|we'll|we're)\b/i,
  /\b(?:it's|it is|that's|that is)(?: (?:now|then|all|finally|hereby)){0,2} (?:decided|agreed|settled)\b/i,
  /\b(?:the|our)(?: final)? decision(?: is|:) (?:to|that|we|we'll)\b/i,
  /\b(?:let's|let us|we'll|we will|we're|we are)(?: (?:just|then|all|definitely|now|going to)){0,2} (?:go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on) (?!(?:you|him|her|them|me|us|it all)\b)\w/i,
]

/** What was decided at another time is history; what is to be decided is none yet. */
const ELSEWHEN =
  /\b(?:yesterday|ago|previously|originally|back (?:then|in|when)|earlier (?:today|this|on|in)|last (?:week|month|year|quarter|time|night|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday)|in (?:19|20)\d\d|at the time|once we|when we)\b/i
const NOTHING = /\b(?:to disagree|to nothing|on nothing|nothing yet)\b/i

/** Somebody says that something is decided. */
export const decision: Rule = {
  category: 'decision',
  severity: 'info',
  kind: 'record',
  needsEnglish: true,
  find({ last }) {
    if (last === null || !HINT.test(last.text)) return []
    const { speaker, number } = last
    return englishSentences(last.text)
      .map(statedIn)
      .filter((stated) => stated !== null)
      .slice(0, 3)
      .map((stated) => ({
        speaker,
        title: 'Decision',
        text: `${nameOf(speaker)} stated a decision: ${quote(stated)}`,
        segmentNumbers: [number],
        // Two people who say the same state one decision.
        key: keyOf('', stated),
      }))
  },
}

function statedIn(sentence: string): string | null {
  if (isQuestion(sentence) || ELSEWHEN.test(sentence) || NOTHING.test(sentence)) return null
  for (const pattern of STATED) {
    const found = pattern.exec(sentence)
    if (found === null || isUndone(sentence.slice(0, found.index))) continue
    if (hasCondition(sentence.slice(found.index))) continue
    return around(sentence, found.index)
  }
  return null
}
