import { Lexer, type TokensList } from 'marked'
import { MAX_RENDERED_CHARS } from './limits.ts'

/** In one paragraph, what looks for its other half is looked at again and again: twice as long takes four times. */
const MAX_PARAGRAPH = 5_000
/** So long emphasis and links are looked for; what is left then stays as it is written. */
const BUDGET_MS = 1_000
/** Quotes and lists inside each other so often, or so far to the right, are written by no person. */
const TOO_DEEPLY_NESTED =
  /^(?:[ \t]*(?:(?:>[ \t]*|[-*+][ \t]+|\d{1,9}[.)][ \t]+)){12}|[ \t]{100,}[-*+>\d])/m

/** The parts of a markdown text in a time that its writer cannot make long; null: not to be taken apart at all. */
export function tokenizeMarkdown(text: string): TokensList | null {
  if (text.length > MAX_RENDERED_CHARS || TOO_DEEPLY_NESTED.test(text)) return null
  const lexer = new Lexer({ gfm: true })
  lexer.blockTokens(text.replaceAll(/\r\n?/g, '\n'), lexer.tokens)
  const end = performance.now() + BUDGET_MS
  for (const { src, tokens } of lexer.inlineQueue) {
    const isPlain = src.length > MAX_PARAGRAPH || performance.now() > end
    if (isPlain) tokens.push({ type: 'text', raw: src, text: src, escaped: false })
    else lexer.inlineTokens(src, tokens)
  }
  return lexer.tokens
}
