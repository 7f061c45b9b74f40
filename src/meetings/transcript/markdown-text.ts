/** Characters that are markdown syntax anywhere in a line. */
const ANYWHERE = /[\\`*_[\]<&|!~$]/g
/** Characters that at the start of a line begin a heading, list, quotation, rule, underline or table. */
const AT_START = /^[#+\-=>:]/
const NUMBERED = /^(\d+)([.)])(?= |$)/

const BREAKS = /[\t\n\v\f\r \x85\u2028\u2029]+/g
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu

/** Text on one line, without control characters and without characters that change the text direction. */
export function cleanInlineText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(BREAKS, ' ')
      .replace(CONTROLS, '')
      // Removing a control character can leave two spaces.
      .replace(/ {2,}/g, ' ')
      .trim()
  )
}

/** Cleans text and escapes it as markdown that shows exactly this text, at the start of a line or within it. */
export function escapeInlineMarkdown(text: string): string {
  return cleanInlineText(text)
    .replace(ANYWHERE, '\\$&')
    .replace(AT_START, '\\$&')
    .replace(NUMBERED, '$1\\$2')
}

/** Reverses the escaping of `escapeInlineMarkdown`. */
export function unescapeInlineMarkdown(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
