/**
 * Whether a text matches a pattern, ignoring case. In a pattern `*` stands for any characters; without one, the text only
 * has to contain the pattern. The time is at most proportional to the product of both lengths.
 */
export function matchesWildcardPattern(text: string, pattern: string): boolean {
  const normalizedText = normalize(text)
  const parts = normalize(pattern).split('*')
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return normalizedText.includes(first)
  if (!normalizedText.startsWith(first)) return false
  let position = first.length
  for (const part of rest) {
    const found = normalizedText.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return normalizedText.length - last.length >= position && normalizedText.endsWith(last)
}

function normalize(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
