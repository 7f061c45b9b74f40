export type CaptionLine = { name: string; words: string } | { speaker: string; text: string }

/** The words of each speaker in order, regardless of the number of rows. */
export function wordsBySpeaker(lines: readonly CaptionLine[]): Record<string, string> {
  const words: Record<string, string> = {}
  for (const line of lines) {
    const [name, text] = 'name' in line ? [line.name, line.words] : [line.speaker, line.text]
    words[name] = `${words[name] ?? ''} ${text}`.trim()
  }
  return words
}
