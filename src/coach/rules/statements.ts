import { formatSpeakerName, quoteText, shortenToOneLine } from '../../language/clean-text.ts'
import { toCalendarDay } from '../../language/due-date.ts'
import { findActionsInSentence } from '../../language/find-actions.ts'
import { createPeopleFinder } from '../../language/people.ts'
import { findStatement, type StatementPatterns } from '../../language/rules/english-statements.ts'
import { CERTAIN_DECISION, ENGLISH } from '../../language/rules/english.ts'
import type { TaskOwner } from '../../language/rules/language-rules.ts'
import { readSentence, splitSentences } from '../../language/sentences.ts'
import { stopWordsOf, toPlainLine } from '../../language/words.ts'
import { sha256Base64 } from '../../lib/crypto.ts'
import type { InsightCategory } from '../coach.ts'
import type { CoachUtterance } from '../conversation.ts'
import type { CoachRule } from './rule.ts'

type StatementRule = StatementPatterns & {
  category: InsightCategory
  title: string
  /** What the speaker did, for the insight text: "Ann named a risk". */
  verb: string
  /** A cheap first check: a segment that does not match contains no such statement. */
  hint: RegExp
}

/** These limits bound the cost of one segment, and how many insights it gives. */
const MAX_SENTENCES = 40
const MAX_FINDINGS = 3
/** If a statement begins later in its sentence than this, the words before it are not quoted. */
const MAX_CHARS_BEFORE = 60

const ACTION_HINT =
  /\b(?:(?:i|we)(?:['’]ll| will)|going to|gonna|let(?:['’]s| us)|(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one)|please|action)\b/i
/** What the speaker of an action item did, by whose task it is. */
const ACTION_VERBS: Readonly<Record<TaskOwner, string>> = {
  speaker: 'took this on',
  addressed: 'asked for this',
  nobody: 'proposed this',
  named: 'named this',
}
const NO_NAMES = createPeopleFinder([])

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

/** A speaker promises to do something, or asks for something to be done. */
export const actionItemRule: CoachRule = {
  category: 'action_item',
  severity: 'info',
  kind: 'record',
  needsEnglish: true,
  find({ last }) {
    if (last === null || !ACTION_HINT.test(last.text)) return []
    const { speaker, number, startedAt } = last
    const turn = {
      speaker,
      sentences: splitUtterance(last).map((text) => readSentence(text, NO_NAMES)),
    }
    const context = {
      rules: ENGLISH,
      today: toCalendarDay(new Date(startedAt), null),
      stopWords: stopWordsOf('en'),
      isNameWord: NO_NAMES.isNameWord,
    }
    return turn.sentences
      .flatMap((sentence) => findActionsInSentence(sentence, turn, context).slice(0, 1))
      .slice(0, MAX_FINDINGS)
      .map(({ text, ownerKind }) => {
        const verb = ACTION_VERBS[ownerKind]
        const name = formatSpeakerName(speaker)
        return {
          speaker,
          title: speaker === '' ? 'Action item' : `Action item: ${name} ${verb}`,
          text: `${name} ${verb}: ${quoteText(text)}`,
          segmentNumbers: [number],
          key: toStatementKey(speaker, text),
        }
      })
  },
}

export const decisionRule = createStatementRule({
  category: 'decision',
  title: 'Decision',
  verb: 'stated a decision',
  hint: /\b(?:decided|agreed|concluded|settled|decision|go(?:ing)? with|stick(?:ing)? (?:with|to)|settl(?:e|ing) on|release|version|sprint|iteration|scope|phase|backlog|roadmap|budget)\b/i,
  ...CERTAIN_DECISION,
})

/** A rule that records sentences that state something, but not sentences that ask, doubt, deny or suppose it. */
function createStatementRule(rule: StatementRule): CoachRule {
  const { category, title, verb, hint } = rule
  return {
    category,
    severity: 'info',
    kind: 'record',
    needsEnglish: true,
    find({ last }) {
      if (last === null || !hint.test(last.text)) return []
      const { speaker, number } = last
      return splitUtterance(last)
        .flatMap((sentence) => {
          const at = findStatement(sentence, rule)
          if (at === null) return []
          return [at <= MAX_CHARS_BEFORE ? sentence : sentence.slice(at)]
        })
        .slice(0, MAX_FINDINGS)
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

function splitUtterance({ text }: CoachUtterance): string[] {
  return splitSentences(toPlainLine(text)).slice(0, MAX_SENTENCES)
}

/** A key that is equal for equal words, regardless of case and punctuation. */
function toStatementKey(speaker: string, words: string): string {
  const plain = shortenToOneLine(words, 400)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return sha256Base64(`${speaker}\n${plain}`).slice(0, 16)
}
