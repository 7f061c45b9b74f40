/** What begins something else than words anywhere in a line. */
const ANYWHERE = /[\\`*_[\]<&|!~$]/g
/** What begins a heading, a list, a quotation, a rule, an underline or a table at the start of a line. */
const AT_START = /^[#+\-=>:]/
const NUMBERED = /^(\d+)([.)])(?= |$)/

const BREAKS = /[\t\n\v\f\r \x85\u2028\u2029]+/g
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu

/** Words as a document can hold them: one line, nothing unseen that could turn it around. */
export function cleanInline(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(BREAKS, ' ')
      .replace(CONTROLS, '')
      // Once more, for two spaces that a control kept apart.
      .replace(/ {2,}/g, ' ')
      .trim()
  )
}

/** Cleaned words as markdown that shows exactly these words, at the start of a paragraph or within it. */
export function escapeInline(text: string): string {
  return cleanInline(text)
    .replace(ANYWHERE, '\\$&')
    .replace(AT_START, '\\$&')
    .replace(NUMBERED, '$1\\$2')
}

/** The words that `escapeInline` wrote. */
export function unescapeInline(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
