/** A text as PostgreSQL can hold it: any but those with a zero or half a character in them. */
export function toStorableText(text: string, maxChars: number): string {
  return text.slice(0, maxChars).toWellFormed().replaceAll('\0', '')
}
