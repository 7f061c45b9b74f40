/** Somebody said something. */
export type Line = { speaker: string; text: string }

export const joined = (lines: readonly Line[]) =>
  lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')

/** Turns as the document has them: neighbouring segments of one speaker are one. */
export function turnsOf(segments: readonly Line[]): Line[] {
  const list: Line[] = []
  for (const { speaker, text } of segments) {
    const last = list.at(-1)
    if (last?.speaker === speaker) last.text = `${last.text} ${text}`
    else list.push({ speaker, text })
  }
  return list
}
