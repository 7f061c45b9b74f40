/** Syntax that markdown recognizes anywhere in a line. Each pattern matches the characters to escape. */
const INLINE_SYNTAX: readonly RegExp[] = [
  // An escape, or a line break.
  /\\(?=[!-/:-@[-`{-~]|$)/,
  // Code. The other backtick may be in another line of the paragraph.
  /`/,
  // Emphasis. An asterisk between spaces does not count.
  /(?<! )\*|\*(?! )/,
  // Emphasis. Underscores between letters do not count.
  /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/u,
  // Strikethrough. A tilde after a space can only begin it, and every possible end is escaped.
  /(?<=[^ ])~/,
  // Links and images need a bracket directly after their text.
  /\](?=[([:])/,
  // HTML, and addresses in angle brackets.
  /<(?=[a-z/!?]|[^\s<]*@)/i,
  // Character references.
  /&(?=#?[a-z0-9]+;)/i,
]
const INLINE = new RegExp(INLINE_SYNTAX.map(({ source }) => source).join('|'), 'giu')
const ADDRESS_SYNTAX = /:(?=\/\/)|(?<=www)\.|@/gi

/** Syntax that markdown recognizes at the start of a line. Each pattern matches the character to escape. */
const LINE_START_SYNTAX: readonly RegExp[] = [
  // Heading, quotation.
  /^[#>]/,
  // List item, rule, underline of a heading, or the line under the head of a table.
  /^-(?=[- :|]|$)/,
  /^\+(?= |$)/,
  /^[:|](?=[-:| ]*$)/,
  /^=(?==*$)/,
  // Numbered list item.
  /(?<=^\d{1,9})[.)](?= |$)/,
]
const LINE_START = new RegExp(LINE_START_SYNTAX.map(({ source }) => source).join('|'), 'u')

const BREAKS = /[\t\n\v\f\r \x85\u2028\u2029]+/g
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu

/** Puts text on one line, without control characters and characters that change the text direction. */
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

/** Cleans text and escapes it, so that markdown shows exactly this text within a line. */
export function escapeInlineMarkdown(text: string): string {
  return cleanInlineText(text)
    .replace(INLINE, (syntax) => syntax.replaceAll(/./g, '\\$&'))
    .replace(/\S+/g, escapeAddress)
}

/**
 * Markdown turns addresses into links, and shows backslashes in them. So an address with a backslash is escaped itself
 * and does not become a link.
 */
function escapeAddress(word: string): string {
  return word.includes('\\') ? word.replaceAll(ADDRESS_SYNTAX, '\\$&') : word
}

/** Like `escapeInlineMarkdown`, for text at the start of a line. */
export function escapeMarkdownLine(text: string): string {
  return escapeInlineMarkdown(text).replace(LINE_START, '\\$&')
}

/** Reverses the escaping of the functions above. */
export function unescapeInlineMarkdown(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
