export type SpokenLine = { speaker: string; text: string }

export const formatLines = (lines: readonly SpokenLine[]) =>
  lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')

/** Merges adjacent segments of one speaker, as the transcript document does. */
export function mergeIntoTurns(segments: readonly SpokenLine[]): SpokenLine[] {
  const list: SpokenLine[] = []
  for (const { speaker, text } of segments) {
    const last = list.at(-1)
    if (last?.speaker === speaker) last.text = `${last.text} ${text}`
    else list.push({ speaker, text })
  }
  return list
}
