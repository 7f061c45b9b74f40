/** Shortens a text and makes it storable in PostgreSQL: removes NUL characters and replaces lone surrogates. */
export function shortenToStorableText(text: string, maxChars: number): string {
  return text.slice(0, maxChars).toWellFormed().replaceAll('\0', '')
}
