/** Shortens a text and removes what PostgreSQL cannot store: NUL characters and lone surrogates. */
export function toStorableText(text: string, maxChars: number): string {
  return text.slice(0, maxChars).toWellFormed().replaceAll('\0', '')
}
