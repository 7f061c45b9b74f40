const CONTROL = /\p{Cc}/u

/** Whether a text contains control characters, which a terminal would interpret instead of showing them. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text)
}

export function removeControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '')
}

/** Replaces control characters by visible escapes such as `\x1b`. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
