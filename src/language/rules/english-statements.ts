import { isQuestion } from '../sentences.ts'

const NEGATION_OR_DOUBT =
  /\b(?:not|never|nobody|hardly|cannot|[a-z]{2,7}n't|thought|maybe|perhaps|might|wish|hope|hoping|doubt|pretend|said|says|told|asked|wondering|unsure)\b/i
const CONDITION =
  /\b(?:if|unless|whether|suppose|supposing|assuming|provided|in case|in the event)\b/i
/** Matches a word at the end of a text that turns the words after the text into a subordinate clause or a question. */
const SUBORDINATING_WORD =
  /\b(?:did|do|does|have|has|had|should|could|would|can|may|what|why|how|where|which|who|whom|that|when|whenever|as|since|because|before|after|once|until|till|than|thing|things|one|ones)$/i

/** Only this much text before a match is checked, to limit the cost of many matches. */
const LOOK_BACK_CHARS = 200

/** True if the text before a match makes the match negated, doubtful, reported, conditional or subordinate. */
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

/** How something is stated in English, such as a decision. */
export type StatementPatterns = {
  stated: readonly RegExp[]
  /** True if a sentence makes no such statement, even if it matches one of the patterns in `stated`. */
  isExcluded(sentence: string): boolean
}

/** Where a sentence states something. Null if it does not, or if it asks, doubts, denies or supposes it. */
export function findStatement(
  sentence: string,
  { stated, isExcluded }: StatementPatterns,
): number | null {
  if (isQuestion(sentence) || isExcluded(sentence)) return null
  for (const pattern of stated) {
    const at = sentence.search(pattern)
    if (at === -1 || hasNegationOrConditionBeforeMatch(sentence.slice(0, at))) continue
    if (!hasConditionWord(sentence.slice(at))) return at
  }
  return null
}
