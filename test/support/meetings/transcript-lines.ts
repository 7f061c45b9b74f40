/** `gaps` are the gaps before the line, as in a segment's event. */
export type SpokenLine = { speaker: string; text: string; gaps?: readonly unknown[] }

export const formatLines = (lines: readonly SpokenLine[]) =>
  lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')

type ReadTranscript = {
  segments: ReadonlyArray<SpokenLine & { segmentNumber: number }>
  gaps: ReadonlyArray<{ afterSegmentNumber: number }>
}

/** The lines of a transcript in order, each with the gaps before it. */
export function linesWithGaps({ segments, gaps }: ReadTranscript): SpokenLine[] {
  const left = [...gaps]
  return segments.map(({ speaker, text, segmentNumber }) => {
    const count = left.filter((gap) => gap.afterSegmentNumber < segmentNumber).length
    return { speaker, text, gaps: left.splice(0, count) }
  })
}

/** Merges adjacent segments of one speaker without a gap between them, as the transcript document does. */
export function mergeIntoTurns(segments: readonly SpokenLine[]): SpokenLine[] {
  const list: SpokenLine[] = []
  for (const { speaker, text, gaps = [] } of segments) {
    const last = list.at(-1)
    if (last?.speaker === speaker && gaps.length === 0) last.text = `${last.text} ${text}`
    else list.push({ speaker, text })
  }
  return list
}
