const CONTROL = /\p{Cc}/u

/** Whether a text holds characters that tell a terminal to do something instead of being shown. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text)
}

/** The same text with those characters written out, such as `\x1b`. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
