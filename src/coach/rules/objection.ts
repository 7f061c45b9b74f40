import { createStatementRule } from './statement.ts'

const INTENSIFIER = '(?:just|still|simply|really|a bit|a little|far|way|much|also)'

/** Words that place the objection in the past. */
const PAST_OBJECTION = /\b(?:used to be|was|were|no longer|any ?more|not any)\b/i

/** A speaker objects, states a concern, or finds the price too high. */
export const objectionRule = createStatementRule({
  category: 'objection',
  title: 'Objection',
  verb: 'objected',
  hint: /\b(?:concern|concerned|concerns|objections?|object|worry|worried|reservations?|convinced|against|comfortable|uncomfortable|sceptical|skeptical|disagree|agree|support|too (?:expensive|high|costly|much|steep)|(?:problem|trouble|issue) with)\b/i,
  stated: [
    /\b(?:my|our)(?: (?:main|biggest|only|other|first|real|big|one)){0,2} (?:concern|objection|worry|reservation)s?(?: here| with (?:that|this|it)| about (?:that|this|it))?(?: also)?(?: is| are|:)/i,
    /\b(?:i|we)(?:'ve| have)?(?: (?:still|do|really|also|got)){0,2}(?: have)? (?:a|some|serious|strong|big|real|two|several)(?: (?:serious|strong|big|real|major)){0,2} (?:concern|objection|reservation)s? (?:about|with|to|here|that)\b/i,
    /\b(?:i'm|i am|we're|we are)(?: (?:still|really|quite|very|also|just|a bit|a little)){0,2} (?:concerned|worried|not convinced|against|not comfortable|uncomfortable|sceptical|skeptical)\b/i,
    /\bi(?: (?:strongly|really|still|have to))? (?:object|disagree)\b/i,
    /\bi (?:don't|do not|can't|cannot)(?: (?:really|fully|quite))? (?:agree|support)\b/i,
    new RegExp(
      `\\b(?:price|pricing|cost|fee|quote|rate|offer|licen[cs]e|subscription)s? (?:is|are|seems?|looks?|feels?|sounds?)(?: ${INTENSIFIER}){0,2} too (?:expensive|high|costly|much|steep)\\b`,
      'i',
    ),
    new RegExp(
      `\\b(?:it|that|this)(?:'s| is| seems| looks| sounds)(?: ${INTENSIFIER}){0,2} too (?:expensive|costly)\\b`,
      'i',
    ),
    /\bthe (?:problem|trouble|issue) with (?:that|this|it)(?: [a-z]{2,20})? is\b/i,
  ],
  isExcluded: (sentence) => PAST_OBJECTION.test(sentence),
})
