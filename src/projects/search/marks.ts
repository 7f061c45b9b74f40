import { isPrefix, type Meant, type Term } from './query.ts'
import { tokensOf, type Token } from './words.ts'

/** A piece of a text, in units of JavaScript strings: `text.slice(start, end)`. */
export type Mark = { start: number; end: number }

const MAX_MARKS = 100

/** Where a text has what was looked for. */
export function marksIn(text: string, terms: readonly Term[], meant: Meant): Mark[] {
  const tokens = tokensOf(text)
  const marked = new Set<Token>()
  for (const term of terms) {
    for (let i = 0; i + term.words.length <= tokens.length; i += 1) {
      if (!fits(tokens, i, term, meant)) continue
      for (const token of tokens.slice(i, i + term.words.length)) marked.add(token)
    }
  }
  return tokens
    .filter((token) => marked.has(token))
    .slice(0, MAX_MARKS)
    .map(({ start, end }) => ({ start, end }))
}

function fits(
  tokens: readonly Token[],
  from: number,
  { words, isExact }: Term,
  meant: Meant,
): boolean {
  return words.every((word, i) => {
    const found = tokens[from + i]?.word ?? ''
    if (found === word) return true
    const isLast = i === words.length - 1
    if (!isExact && isLast && isPrefix(word) && found.startsWith(word)) return true
    return words.length === 1 && (meant.get(word) ?? []).includes(found)
  })
}
