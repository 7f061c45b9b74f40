import { createStatementRule, findStatement } from './statement.ts'

const HINT =
  /\b(?:decided|agreed|concluded|settled|decision|go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on|release|version|sprint|iteration|scope|phase|backlog|roadmap|budget)\b/i

const STATED: readonly RegExp[] = [
  /\b(?:we|everyone|everybody|the (?:team|board|group|committee))(?:'ve|'s)?(?: (?:have|has|all|both|just|now|finally|then|also|therefore)){0,3} (?:decided|agreed|concluded|settled) (?:to|that|on|upon|not|against|we|we'll|we're|it|it's|the|this|for)\b/i,
  /\bi(?:'ve)?(?: (?:have|just|now|finally|also|therefore)){0,3} decided (?:to|that|on|upon|not|against|we|we'll|we're)\b/i,
  /\b(?:it's|it is|that's|that is)(?: (?:now|then|all|finally|hereby)){0,2} (?:decided|agreed|settled)\b/i,
  /\b(?:the|our)(?: final)? decision(?: is|:) (?:to|that|we|we'll)\b/i,
  // Decisions about what belongs to a release, sprint or budget.
  /\b(?:let's|let us)(?: (?:just|then|all|definitely|now|please)){0,2} (?:leave|keep|put|move|push)(?: [\w'-]{1,30}){1,4} (?:out of|in|into|to) (?:the|this|that|our)(?: [\w-]{1,20})? (?:release|version|sprint|iteration|scope|phase|backlog|roadmap|budget)\b/i,
  /\b(?:let's|let us|we'll|we will|we're|we are)(?: (?:just|then|all|definitely|now|going to)){0,2} (?:go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on) (?!(?:you|him|her|them|me|us|it all)\b)\w/i,
]

/** Words that place the decision at an earlier time, so it is not a new decision. */
const OTHER_TIME =
  /\b(?:yesterday|ago|previously|originally|back (?:then|in|when)|earlier (?:today|this|on|in)|last (?:week|month|year|quarter|time|night|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday)|in (?:19|20)\d\d|at the time|once we|when we)\b/i
const NOTHING = /\b(?:to disagree|to nothing|on nothing|nothing yet)\b/i

const DECISION = {
  stated: STATED,
  isExcluded: (sentence: string) => OTHER_TIME.test(sentence) || NOTHING.test(sentence),
}

/** A speaker states a decision. */
export const decisionRule = createStatementRule({
  category: 'decision',
  title: 'Decision',
  verb: 'stated a decision',
  hint: HINT,
  ...DECISION,
})

/** The decision in one English sentence, or null. */
export function findDecision(sentence: string): string | null {
  return findStatement(sentence, DECISION)
}
