import { isQuestion, isTag } from '../sentences.ts'
import { nameOf, quote } from '../wording.ts'
import { around, englishSentences, hasCondition, isUndone, keyOf } from './english.ts'
import type { Rule } from './rule.ts'
import { asksIf, isFavour, isJointTask, isTask, withoutIng } from './tasks.ts'

/** Most segments hold none of these, and are not looked at further. */
const HINT =
  /\b(?:(?:i|we)(?:['’]ll| will)|going to|gonna|let(?:['’]s| us)|(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one)|please|action)\b/i

/** Nobody begins more often in one sentence. */
const MOST_TRIES = 8

type Form = {
  /** Finds where the words begin that name the task. Group 1: what stands between. */
  pattern: RegExp
  says: string
  isMeant(words: string, between: string, sentence: string): boolean
}

const FORMS: readonly Form[] = [
  {
    pattern:
      /\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna)((?: (?:also|just|then|definitely|certainly|personally|quickly|gladly|happily|be|try to|try and|go ahead and|have to|need to)){0,3}) (?=[a-z])/gi,
    says: 'took this on',
    isMeant: (words, between, sentence) =>
      isPromise(words, between) && (!isQuestion(sentence) || isTag(sentence)),
  },
  {
    pattern:
      /\b(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody|one of you)((?: (?:guys|all|both|also|just|maybe|possibly|perhaps|quickly|please|kindly|then|mind|be able to)){0,3}) (?=[a-z])/gi,
    says: 'asked for this',
    isMeant: (words, between, sentence) =>
      / mind$/i.test(between)
        ? withoutIng(words).some(isTask)
        : /\bplease\b/i.test(sentence)
          ? isFavour(words)
          : isTask(words),
  },
  {
    pattern:
      /(?:^|[,;:] |\b(?:and|so|then|also|but) )please((?: (?:also|just|then)){0,2}) (?=[a-z])/gi,
    says: 'asked for this',
    isMeant: isTask,
  },
  {
    pattern: /\blet(?:'s| us)((?: (?:also|just|then|all|please|definitely)){0,2}) (?=[a-z])/gi,
    says: 'proposed this',
    isMeant: (words, _, sentence) => isJointTask(words) && !isQuestion(sentence),
  },
  {
    pattern: /\baction items?()(?: for [a-z]{1,30})?(?: is|:) (?=[a-z])/gi,
    says: 'named this',
    isMeant: (words, _, sentence) =>
      !isQuestion(sentence) && !/^(?:not|none|done|there)\b/i.test(words),
  },
]

/** Somebody takes something on, or asks for it. */
export const actionItem: Rule = {
  category: 'action_item',
  severity: 'info',
  kind: 'record',
  needsEnglish: true,
  find({ last }) {
    if (last === null || !HINT.test(last.text)) return []
    const { speaker, number } = last
    return englishSentences(last.text)
      .map(findActionItem)
      .filter((item) => item !== null)
      .slice(0, 3)
      .map(({ says, words }) => ({
        speaker,
        title: speaker === '' ? 'Action item' : `Action item: ${nameOf(speaker)} ${says}`,
        text: `${nameOf(speaker)} ${says}: ${quote(words)}`,
        segmentNumbers: [number],
        key: keyOf(speaker, words),
      }))
  },
}

/** What one English sentence promises or asks for, if anything. */
export function findActionItem(sentence: string): { says: string; words: string } | null {
  for (const { pattern, says, isMeant } of FORMS) {
    for (const found of sentence.matchAll(pattern).take(MOST_TRIES)) {
      const { 0: whole, 1: between = '', index } = found
      const words = sentence.slice(index + whole.length, index + whole.length + 300)
      if (isUndone(sentence.slice(0, index)) || !isMeant(words, between, sentence)) continue
      return { says, words: around(sentence, index) }
    }
  }
  return null
}

function isPromise(words: string, between: string): boolean {
  if (hasCondition(words) && !asksIf(words)) return false
  return / be$/i.test(between) ? withoutIng(words).some(isTask) : isTask(words)
}
