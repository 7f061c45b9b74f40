import { estimateSpeechMs } from '../transcript/cues.ts'

type TimedText = { text: string; startMs: number | null; endMs: number | null }

/**
 * Gives a start to every text without one. It starts when the text before it has been said; several such texts before a
 * known start share the time until then.
 */
export function fillMissingStarts<Text extends TimedText>(
  texts: readonly Text[],
): Array<Text & { startMs: number }> {
  const starts = texts.map(({ startMs }) => startMs)
  for (let i = 0; i < texts.length;) {
    if (starts[i] !== null && starts[i + 1] !== null) {
      i += 1
      continue
    }
    // From the last text with a start, or from the start of the meeting, up to the next text with one.
    const hasAnchor = starts[i] !== null
    let end = i + 1
    while (end < texts.length && starts[end] === null) end += 1
    const fromMs = starts[i] ?? 0
    const untilMs = starts[end] ?? (hasAnchor ? (texts[i]?.endMs ?? null) : null)
    spread(texts, starts, { first: i, end, fromMs, untilMs })
    i = end
  }
  return texts.map((text, i) => ({ ...text, startMs: starts[i] ?? 0 }))
}

function spread(
  texts: readonly TimedText[],
  starts: Array<number | null>,
  range: { first: number; end: number; fromMs: number; untilMs: number | null },
): void {
  const { first, end, fromMs, untilMs } = range
  const durations = texts.slice(first, end).map(({ text }) => estimateSpeechMs(text))
  const neededMs = durations.reduce((sum, ms) => sum + ms, 0)
  const availableMs = untilMs === null ? neededMs : Math.max(0, untilMs - fromMs)
  const factor = neededMs > availableMs ? availableMs / neededMs : 1
  let atMs = fromMs
  for (const [i, ms] of durations.entries()) {
    starts[first + i] ??= Math.round(atMs)
    atMs += ms * factor
  }
}
