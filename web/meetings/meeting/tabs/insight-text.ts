import type { ApiInsight } from '../../../../src/http/shapes/meetings/meetings.ts'

/** The text of an insight beside its category and speaker, without repetition. */
export interface InsightText {
  /** Null if it would repeat the rest. */
  title: string | null
  text: string
}

/** "Ana stated a decision: “We ship on Friday.”" */
const REPORTED_QUOTE = /^[^:“]{1,120}: (“.*”)$/su

/**
 * In a callback, title and text must each make sense alone, so the rules repeat category and speaker in both:
 * "Decision", "Ana stated a decision: “…”". A language model may add information in its title.
 */
export function describeInsight(
  insight: Pick<ApiInsight, 'title' | 'text' | 'speaker' | 'engine'>,
  categoryLabel: string,
): InsightText {
  const { title, text, speaker, engine } = insight
  if (engine === 'rules') {
    const [, quote] = REPORTED_QUOTE.exec(text) ?? []
    return { title: null, text: quote ?? text }
  }
  const isRepeated = repeats(`${categoryLabel} ${speaker ?? ''} ${text}`, title)
  return { title: isRepeated ? null : title, text }
}

/** True if a text has all words of a title. */
function repeats(text: string, title: string): boolean {
  const known = new Set(splitWords(text))
  return splitWords(title).every((word) => known.has(word))
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
