import { Lexer, Marked, type TokensList } from 'marked'
import { MAX_RENDERED_CHARS } from './limits.ts'

/** In characters. A longer paragraph stays plain text, because inline parsing takes quadratic time per paragraph. */
const MAX_PARAGRAPH = 5_000
/** Time limit for inline parsing. Paragraphs not parsed by then stay plain text. */
const BUDGET_MS = 1_000
/** Matches twelve nested quotes or lists, or 100 columns of indentation, which no real document has. */
const TOO_DEEPLY_NESTED =
  /^(?:[ \t]*(?:(?:>[ \t]*|[-*+][ \t]+|\d{1,9}[.)][ \t]+)){12}|[ \t]{100,}[-*+>\d])/m

/** Tokenizes Markdown in bounded time. Null if the text is too long or nested too deeply. */
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

/** Renders tokens to HTML, which is not sanitized yet. */
export const markdownRenderer = new Marked({
  gfm: true,
  renderer: {
    // The check boxes of task lists show a state and can't be changed, so their name is the state.
    checkbox({ checked }) {
      const attributes = checked ? 'aria-label="Done" checked' : 'aria-label="Not done"'
      return `<input type="checkbox" disabled ${attributes}> `
    },
  },
})
