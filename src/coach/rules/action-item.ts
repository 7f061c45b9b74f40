import { formatSpeakerName, quoteText } from '../text/display-text.ts'
import { isQuestion, endsWithTagQuestion } from '../text/words-and-sentences.ts'
import {
  excerptSentenceFromMatch,
  splitEnglishSentences,
  hasConditionWord,
  hasNegationOrConditionBeforeMatch,
  toStatementKey,
  startsWithInquiryVerb,
  isRequestedTaskPhrase,
  isJointTaskPhrase,
  isTaskPhrase,
  listBaseFormsOfIngPhrase,
} from './english-patterns.ts'
import type { CoachRule } from './rule.ts'

/** A cheap first check: a segment without one of these words contains no action item. */
const HINT =
  /\b(?:(?:i|we)(?:['’]ll| will)|going to|gonna|let(?:['’]s| us)|(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one)|please|action)\b/i

/** How many matches per sentence are checked, to limit the cost. */
const MAX_MATCHES = 8

type ActionItemForm = {
  /** Matches the words before the task. Group 1 contains the filler words between the phrase and the task. */
  pattern: RegExp
  /** What the speaker did, for the insight text: "Ann took this on". */
  reportingVerb: string
  /** True if the matched sentence is really an action item. `words` is the text after the match. */
  isActionItem(words: string, between: string, sentence: string): boolean
}

const FORMS: readonly ActionItemForm[] = [
  {
    pattern:
      /\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna)((?: (?:also|just|then|definitely|certainly|personally|quickly|gladly|happily|be|try to|try and|go ahead and|have to|need to)){0,3}) (?=[a-z])/gi,
    reportingVerb: 'took this on',
    isActionItem: (words, between, sentence) =>
      isPromise(words, between) && (!isQuestion(sentence) || endsWithTagQuestion(sentence)),
  },
  {
    pattern:
      /\b(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one of you)((?: (?:guys|all|both|also|just|maybe|possibly|perhaps|quickly|please|kindly|then|mind|be able to)){0,3}) (?=[a-z])/gi,
    reportingVerb: 'asked for this',
    isActionItem: (words, between, sentence) =>
      / mind$/i.test(between)
        ? listBaseFormsOfIngPhrase(words).some(isTaskPhrase)
        : /\bplease\b/i.test(sentence)
          ? isRequestedTaskPhrase(words)
          : isTaskPhrase(words),
  },
  {
    pattern:
      /(?:^|[,;:] |\b(?:and|so|then|also|but) )please((?: (?:also|just|then)){0,2}) (?=[a-z])/gi,
    reportingVerb: 'asked for this',
    isActionItem: isTaskPhrase,
  },
  {
    pattern: /\blet(?:'s| us)((?: (?:also|just|then|all|please|definitely)){0,2}) (?=[a-z])/gi,
    reportingVerb: 'proposed this',
    isActionItem: (words, _, sentence) => isJointTaskPhrase(words) && !isQuestion(sentence),
  },
  {
    pattern: /\baction items?()(?: for [a-z]{1,30})?(?: is|:) (?=[a-z])/gi,
    reportingVerb: 'named this',
    isActionItem: (words, _, sentence) =>
      !isQuestion(sentence) && !/^(?:not|none|done|there)\b/i.test(words),
  },
]

/** A speaker promises to do something, or asks for something to be done. */
export const actionItemRule: CoachRule = {
  category: 'action_item',
  severity: 'info',
  kind: 'record',
  needsEnglish: true,
  find({ last }) {
    if (last === null || !HINT.test(last.text)) return []
    const { speaker, number } = last
    return splitEnglishSentences(last.text)
      .map(findActionItem)
      .filter((item) => item !== null)
      .slice(0, 3)
      .map(({ reportingVerb, words }) => ({
        speaker,
        title:
          speaker === ''
            ? 'Action item'
            : `Action item: ${formatSpeakerName(speaker)} ${reportingVerb}`,
        text: `${formatSpeakerName(speaker)} ${reportingVerb}: ${quoteText(words)}`,
        segmentNumbers: [number],
        key: toStatementKey(speaker, words),
      }))
  },
}

/** The promise or request in one English sentence, or null. */
export function findActionItem(sentence: string): { reportingVerb: string; words: string } | null {
  for (const { pattern, reportingVerb, isActionItem } of FORMS) {
    for (const found of sentence.matchAll(pattern).take(MAX_MATCHES)) {
      const { 0: whole, 1: between = '', index } = found
      const words = sentence.slice(index + whole.length, index + whole.length + 300)
      if (hasNegationOrConditionBeforeMatch(sentence.slice(0, index))) continue
      if (!isActionItem(words, between, sentence)) continue
      return { reportingVerb, words: excerptSentenceFromMatch(sentence, index) }
    }
  }
  return null
}

function isPromise(words: string, between: string): boolean {
  if (hasConditionWord(words) && !startsWithInquiryVerb(words)) return false
  return / be$/i.test(between)
    ? listBaseFormsOfIngPhrase(words).some(isTaskPhrase)
    : isTaskPhrase(words)
}
