export type TextRange = { start: number; end: number }
type MarkedText = { text: string; matches: readonly TextRange[] }

/** Removed or replaced in this order. Each pattern looks at one line and hardly backtracks: texts can be hostile. */
const REPLACEMENTS: ReadonlyArray<[pattern: RegExp, replacement: string]> = [
  [/\r\n?/g, '\n'],
  // Code fences, and lines with only marks: rules, underlines of headings, the line under the head of a table.
  [/^[ \t]*(?:```|~~~).*$/gm, ''],
  [/^[ \t|:*_=-]+$/gm, ''],
  // A heading, list item, quotation or table row is a separate line. Other lines continue a paragraph.
  [/(?<=^[ \t]{0,3}#{1,6}[ \t].*)\n/gm, '\n\n'],
  [/[ \t]*\n[ \t]*(?=\||(?:#{1,6}|[>*+-]|\d{1,9}[.)])[ \t])/g, '\n\n'],
  [/(?<!\n)\n(?!\n)/g, ' '],
  [/\n{2,}/g, '\n'],
  [/^[ \t]*(?:(?:#{1,6}|[>*+-])[ \t]+)+(?:\[[ xX]\][ \t]+)?/gm, ''],
  [/^[ \t]*\|[ \t]*/gm, ''],
  [/[ \t]*\|[ \t]*$/gm, ''],
  [/ +\| +/g, ', '],
  // Links keep their text.
  [/!?\[(?=[^\][\n]*\]\([^()\s]*\))/g, ''],
  [/\]\([^()\s]*\)/g, ''],
  // Emphasis and code.
  [/(?<!\\)(?:\*\*|~~|`+)/g, ''],
  [/(?<![\\\w])(?:\*|__)(?=\w)|(?<=[^\s\\])(?:\*|__)(?!\w)/g, ''],
  [/\\(?=[!-/:-@[-`{-~])/g, ''],
  [/^\s+|\s+$/g, ''],
  [/ *\n */g, ' · '],
]

/** Converts a passage of a document to one line of plain text without Markdown syntax, and moves its matches along. */
export function toPlainDocumentText(text: string, matches: readonly TextRange[] = []): MarkedText {
  return REPLACEMENTS.reduce<MarkedText>(
    (marked, [pattern, replacement]) => replaceMarks(marked, pattern, replacement),
    { text, matches },
  )
}

function replaceMarks({ text, matches }: MarkedText, pattern: RegExp, by: string): MarkedText {
  const places = [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))
  if (places.length === 0) return { text, matches }
  const moved = (at: number) =>
    places.reduce((to, { start, end }) => {
      if (at >= end) return to + by.length - (end - start)
      return at > start ? to - (at - start) : to
    }, at)
  return {
    text: text.replaceAll(pattern, by),
    matches: matches
      .map(({ start, end }) => ({ start: moved(start), end: moved(end) }))
      .filter(({ start, end }) => start < end),
  }
}
