import type { InsightCategory } from '../coach.ts'
import { formatSpeakerName, quoteText } from '../text/display-text.ts'
import { isQuestion } from '../text/words-and-sentences.ts'
import {
  excerptSentenceFromMatch,
  splitEnglishSentences,
  hasConditionWord,
  hasNegationOrConditionBeforeMatch,
  toStatementKey,
} from './english-patterns.ts'
import type { CoachRule } from './rule.ts'

type Statement = {
  category: InsightCategory
  title: string
  /** What the speaker did, for the insight text: "Ann named a risk". */
  verb: string
  /** A cheap first check: a segment that does not match contains no such statement. */
  hint: RegExp
  stated: readonly RegExp[]
  /** True if a sentence makes no such statement, even if it matches one of the patterns in `stated`. */
  isExcluded(sentence: string): boolean
}

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

const INTENSIFIER = '(?:just|still|simply|really|a bit|a little|far|way|much|also)'

/** Words that place the objection in the past. */
const PAST_OBJECTION = /\b(?:used to be|was|were|no longer|any ?more|not any)\b/i

const QUALIFIER =
  '(?:a|an|the|our|also|still|some|quite|really|big|bigger|biggest|main|real|serious|high|major|significant|huge|certain|security|legal|financial)'

/** Sentences that call a risk small, accepted or over. */
const DISMISSED =
  /\brisks?(?: [\w']+){0,3} (?:is|are|was|were|seems?|looks?)(?: [\w']+){0,2} (?:low|small|minimal|gone|zero|nil|acceptable|worth|mitigated|covered|negligible|limited|over)\b/i

export const riskRule = createStatementRule({
  category: 'risk',
  title: 'Risk',
  verb: 'named a risk',
  hint: /\brisk/i,
  stated: [
    new RegExp(
      `\\b(?:there's|there is|there are|i see|we have|we run|(?:this|that|it) (?:poses|carries))(?: ${QUALIFIER}){0,4} risks?\\b`,
      'i',
    ),
    new RegExp(
      `\\b(?:that|this|it|which|these|those)(?:'s| is| are)(?: ${QUALIFIER}){1,4} risks?\\b`,
      'i',
    ),
    /\b(?:the|our|my|one|another)(?: (?:main|biggest|only|real|other|big|key|greatest)){0,2} risk(?: here| there| for (?:us|me))?(?: is|:) /i,
    /\b(?:is|are|puts?|putting)(?: (?!not\b|no\b|never\b|nothing\b)[\w']+){0,4} at risk\b/i,
    /\b(?:that|this|it|which)(?:'s| is)(?: (?:too|very|quite|pretty|rather|really)){0,2} risky\b/i,
    /\bwe(?:'re| are)? risk(?:ing)? [a-z]{2,20}ing\b/i,
  ],
  isExcluded: (sentence) => DISMISSED.test(sentence),
})

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

export const decisionRule = createStatementRule({
  category: 'decision',
  title: 'Decision',
  verb: 'stated a decision',
  hint: HINT,
  ...DECISION,
})

/** A rule that records sentences that state something, but not sentences that ask, doubt, deny or suppose it. */
export function createStatementRule(statement: Statement): CoachRule {
  const { category, title, verb, hint } = statement
  return {
    category,
    severity: 'info',
    kind: 'record',
    needsEnglish: true,
    find({ last }) {
      if (last === null || !hint.test(last.text)) return []
      const { speaker, number } = last
      return splitEnglishSentences(last.text)
        .map((sentence) => findStatement(sentence, statement))
        .filter((stated) => stated !== null)
        .slice(0, 3)
        .map((stated) => ({
          speaker,
          title,
          text: `${formatSpeakerName(speaker)} ${verb}: ${quoteText(stated)}`,
          segmentNumbers: [number],
          // The key leaves out the speaker, so that the same statement by two speakers is reported once.
          key: toStatementKey('', stated),
        }))
    },
  }
}

/** The part of an English sentence that states something, or null. */
export function findStatement(
  sentence: string,
  { stated, isExcluded }: Pick<Statement, 'stated' | 'isExcluded'>,
): string | null {
  if (isQuestion(sentence) || isExcluded(sentence)) return null
  for (const pattern of stated) {
    const found = pattern.exec(sentence)
    if (found === null || hasNegationOrConditionBeforeMatch(sentence.slice(0, found.index)))
      continue
    if (hasConditionWord(sentence.slice(found.index))) continue
    return excerptSentenceFromMatch(sentence, found.index)
  }
  return null
}

/** The decision in one English sentence, or null. */
export function findDecision(sentence: string): string | null {
  return findStatement(sentence, DECISION)
}
