/** Replaces a name where it is a whole word, but not where the text already has the new name. */
export function replaceNameInText(text: string, from: string, to: string): string {
  if (from === '') return text
  const after = to.startsWith(from) ? `(?!${RegExp.escape(to.slice(from.length))})` : ''
  const before = to.endsWith(from)
    ? `(?<!${RegExp.escape(to.slice(0, to.length - from.length))})`
    : ''
  const name = new RegExp(
    `(?<![\\p{L}\\p{N}])${before}${RegExp.escape(from)}${after}(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(name, () => to)
}
