import { sha256Base64 } from '../../lib/crypto/digest.ts'
import { splitSentences } from '../text/sentences.ts'
import { shortenToOneLine } from '../text/display-text.ts'

// Helpers for rules that match English text. All patterns run in linear time: each starts at a word, and no unbounded
// repetition is nested in or follows another one that matches the same characters.

/** The first 40 sentences with straight apostrophes. The limit bounds the cost of one segment. */
export function splitEnglishSentences(text: string): string[] {
  return splitSentences(text.replaceAll('’', "'").replace(/\s+/gu, ' ')).slice(0, 40)
}

const NEGATION_OR_DOUBT =
  /\b(?:not|never|nobody|hardly|cannot|[a-z]{2,7}n't|thought|maybe|perhaps|might|wish|hope|hoping|doubt|pretend|said|says|told|asked|wondering|unsure)\b/i
const CONDITION =
  /\b(?:if|unless|whether|suppose|supposing|assuming|provided|in case|in the event)\b/i
/** Matches a word at the end of a text that makes the words after the text a subordinate clause or a question. */
const SUBORDINATING_WORD =
  /\b(?:did|do|does|have|has|had|should|could|would|can|may|what|why|how|where|which|who|whom|that|when|whenever|as|since|because|before|after|once|until|till|than|thing|things|one|ones)$/i

/** Only this much text before a match is checked, to bound the cost of many matches. */
const LOOK_BACK_CHARS = 200

/** Whether the text before a match makes the match negated, doubtful, reported, conditional or subordinate. */
export function hasNegationOrConditionBeforeMatch(textBefore: string): boolean {
  const text = textBefore.slice(-LOOK_BACK_CHARS).trimEnd()
  return (
    CONDITION.test(text) ||
    NEGATION_OR_DOUBT.test(lastClause(text)) ||
    SUBORDINATING_WORD.test(text.slice(-12))
  )
}

export function hasConditionWord(text: string): boolean {
  return CONDITION.test(text)
}

function lastClause(text: string): string {
  const from = Math.max(...[',', ';', ':', ' but ', ' so '].map((mark) => text.lastIndexOf(mark)))
  return text.slice(Math.max(0, from))
}

/** The whole sentence, or only its part from the match on if the match comes late in the sentence. */
export function excerptSentenceFromMatch(sentence: string, matchIndex: number): string {
  return matchIndex <= 60 ? sentence : sentence.slice(matchIndex)
}

/** A key that is equal for equal words, regardless of case and punctuation. */
export function toStatementKey(speaker: string, words: string): string {
  const plain = shortenToOneLine(words, 400)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return sha256Base64(`${speaker}\n${plain}`).slice(0, 16)
}
