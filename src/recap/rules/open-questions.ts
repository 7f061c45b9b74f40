import { endsWithTagQuestion } from '../../language/sentences.ts'
import type { FoundStatement } from './decisions.ts'
import type { LanguageRules } from '../../language/rules/language-rules.ts'
import type { SpokenSentence } from '../../language/sentences.ts'
import type { PreparedMeeting, PreparedSegment } from './prepared-meeting.ts'
import { countPronouns, endsWithPronoun } from '../../language/readable.ts'
import { countWords, foldText, listContentWords, stopWordsOf } from '../../language/words.ts'

const MIN_QUESTION_WORDS = 4
const MIN_CONTENT_WORDS = 1
const MAX_PRONOUNS = 1
const BROKEN_OFF = /(?:[\u2013\u2014-]|\b(?:or|and|oder|und|ou|et|o|y|e))[\s.?!]*$/iu
/** A reply of more words says something, even if it begins with "I'm not sure". */
const MAX_NON_ANSWER_WORDS = 30
/** A speaker who says more than this after asking answers the question. */
const MAX_WORDS_AFTER_QUESTION = 12
/** The first reply comes within this many segments. */
const REPLY_SEGMENTS = 3

/** Finds questions that nobody answered, and statements that something is still unknown. */
export function findOpenQuestions(
  meeting: PreparedMeeting,
  rules: LanguageRules,
): FoundStatement[] {
  const { segments } = meeting
  const open: FoundStatement[] = []
  const cited = new Set<number>()
  const add = (statement: FoundStatement) => {
    if (!isUnderstandable(statement.text, meeting)) return
    if (statement.segmentIndexes.some((index) => cited.has(index))) return
    statement.segmentIndexes.forEach((index) => cited.add(index))
    open.push(statement)
  }
  for (const [index, segment] of segments.entries()) {
    const asked = findLastRealQuestion(segment, rules)
    const unanswered = asked === null ? null : findUnansweredReply(segments, index, rules)
    if (asked !== null && unanswered !== null) {
      add({ text: asked.text, segmentIndexes: [index, ...unanswered] })
      continue
    }
    const stated = segment.sentences.find(
      ({ folded, isQuestion }) => !isQuestion && rules.openPoint.test(folded),
    )
    if (stated !== undefined) add({ text: stated.text, segmentIndexes: [index] })
  }
  return open
}

/** "Is it?" and "How do you do that?" mean something said before. */
function isUnderstandable(text: string, { language, people }: PreparedMeeting): boolean {
  const words = listContentWords(text, stopWordsOf(language), people.isNameWord)
  return (
    words.length >= MIN_CONTENT_WORDS &&
    countPronouns(text, language) <= MAX_PRONOUNS &&
    !endsWithPronoun(text, language) &&
    !BROKEN_OFF.test(text)
  )
}

/** The last question of a turn that asks for an answer. */
function findLastRealQuestion(
  { sentences }: PreparedSegment,
  rules: LanguageRules,
): SpokenSentence | null {
  let wordsAfter = 0
  for (const sentence of sentences.toReversed()) {
    const isReal =
      sentence.isQuestion &&
      countWords(sentence.text) >= MIN_QUESTION_WORDS &&
      !endsWithTagQuestion(sentence.text) &&
      !rules.socialQuestion.test(sentence.folded) &&
      !rules.agreementQuestion.test(sentence.folded)
    if (isReal) return isRequest(sentence, rules) ? null : sentence
    wordsAfter += countWords(sentence.text)
    if (wordsAfter > MAX_WORDS_AFTER_QUESTION) return null
  }
  return null
}

/** "Can you send it?" asks for work, not for an answer. */
function isRequest({ masked, folded }: SpokenSentence, { actionForms }: LanguageRules): boolean {
  return actionForms.some(({ pattern, canBeQuestion, isTask }) => {
    if (canBeQuestion !== true || masked.search(pattern) === -1) return false
    const [match] = masked.matchAll(pattern).take(1)
    if (match === undefined) return false
    return isTask?.(folded.slice(match.index + match[0].length), match[0]) ?? true
  })
}

/** Segments that reply without an answer; empty if nobody replies, null if the question is answered. */
function findUnansweredReply(
  segments: readonly PreparedSegment[],
  askedIndex: number,
  rules: LanguageRules,
): number[] | null {
  const asker = segments[askedIndex]?.speaker ?? ''
  let ownWords = 0
  for (let index = askedIndex + 1; index <= askedIndex + REPLY_SEGMENTS; index += 1) {
    const reply = segments[index]
    if (reply === undefined) break
    const folded = foldText(reply.text.slice(0, 400))
    if (rules.topicChange.test(folded)) return []
    if (reply.speaker === asker && asker !== '') {
      ownWords += countWords(reply.text)
      if (ownWords > MAX_WORDS_AFTER_QUESTION) return null
      continue
    }
    const isShort = countWords(reply.text) <= MAX_NON_ANSWER_WORDS
    if (isShort && (rules.nonAnswer.test(folded) || rules.openPoint.test(folded))) return [index]
    return null
  }
  return []
}
