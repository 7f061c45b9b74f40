import { sha256Base64 } from '../../lib/crypto/digest.ts'
import { splitSentences } from '../text/sentences.ts'
import { toOneLine } from '../text/display-text.ts'

// Help for rules that read English. Their patterns are linear: each starts at a word, and no repetition without
// a bound stands within or next to one that takes the same characters.

/** Sentences with plain apostrophes. Nobody says more than so many in one segment. */
export function splitEnglishSentences(text: string): string[] {
  return splitSentences(text.replaceAll('’', "'").replace(/\s+/gu, ' ')).slice(0, 40)
}

const DOUBT =
  /\b(?:not|never|nobody|hardly|cannot|[a-z]{2,7}n't|thought|maybe|perhaps|might|wish|hope|hoping|doubt|pretend|said|says|told|asked|wondering|unsure)\b/i
const CONDITION =
  /\b(?:if|unless|whether|suppose|supposing|assuming|provided|in case|in the event)\b/i
/** A word that makes the words behind it part of another sentence. */
const SUBORDINATING_WORD =
  /\b(?:did|do|does|have|has|had|should|could|would|can|may|what|why|how|where|which|who|whom|that|when|whenever|as|since|because|before|after|once|until|till|than|thing|things|one|ones)$/i

/** The text before each of many matches must not be read from its beginning. */
const LOOK_BACK_CHARS = 200

/** Whether what stands before a match takes its meaning away: negated, reported, conditional or subordinate. */
export function isNegatedOrConditional(before: string): boolean {
  const whole = before.slice(-LOOK_BACK_CHARS).trimEnd()
  return (
    CONDITION.test(whole) ||
    DOUBT.test(lastClause(whole)) ||
    SUBORDINATING_WORD.test(whole.slice(-12))
  )
}

export function hasCondition(text: string): boolean {
  return CONDITION.test(text)
}

function lastClause(text: string): string {
  const from = Math.max(...[',', ';', ':', ' but ', ' so '].map((mark) => text.lastIndexOf(mark)))
  return text.slice(Math.max(0, from))
}

/** The sentence, or its end from the match on when that comes late. */
export function excerptAt(sentence: string, index: number): string {
  return index <= 60 ? sentence : sentence.slice(index)
}

/** The same for the same words, however they are written. */
export function statementKey(speaker: string, words: string): string {
  const plain = toOneLine(words, 400)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return sha256Base64(`${speaker}\n${plain}`).slice(0, 16)
}
