/** Somebody said something. */
export type SpokenLine = { speaker: string; text: string }

export const formatLines = (lines: readonly SpokenLine[]) =>
  lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')

/** Turns as the document has them: neighbouring segments of one speaker are one. */
export function mergeIntoTurns(segments: readonly SpokenLine[]): SpokenLine[] {
  const list: SpokenLine[] = []
  for (const { speaker, text } of segments) {
    const last = list.at(-1)
    if (last?.speaker === speaker) last.text = `${last.text} ${text}`
    else list.push({ speaker, text })
  }
  return list
}
