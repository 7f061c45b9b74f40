/** A pattern for `like` that finds the text anywhere. Its special characters stand for themselves. */
export function toContainsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
