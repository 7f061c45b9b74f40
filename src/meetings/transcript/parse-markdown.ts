import { findFrontMatter } from '../../projects/front-matter.ts'
import { unescapeInlineMarkdown } from './markdown-text.ts'

export type TranscriptTurn = {
  speaker: string
  /** `HH:MM:SS` since the start of the meeting. */
  time: string
  text: string
}

const TURN = /^\*\*((?:[^*\\]|\\.|(?<= )\*(?= ))+)\*\* (\d{2,}:\d{2}:\d{2})(?: (.*))?$/u
export const MARKDOWN_HEADING = /^#{1,6} /
/** The line of a gap. Segments cannot start with an unescaped asterisk. */
const GAP = /^\*\d[^*]* not recorded: [^*]+\*$/

/** Reads the turns of a saved transcript document. Skips its front matter, headings, gaps and insights. */
export function parseTranscriptMarkdown(text: string): TranscriptTurn[] {
  const turns: TranscriptTurn[] = []
  let current: TranscriptTurn | null = null
  for (const line of text.slice(findFrontMatter(text)?.bodyStart ?? 0).split(/\r?\n/)) {
    const turn = parseMarkdownTurn(line)
    if (turn !== null) turns.push(turn)
    else if (current !== null && !MARKDOWN_HEADING.test(line) && !GAP.test(line))
      current.text = appendLine(current.text, line)
    current = MARKDOWN_HEADING.test(line) ? null : (turn ?? current)
  }
  return turns
}

/** The begin of a turn: `**Ada** 00:01:23 text`; null for any other line. */
export function parseMarkdownTurn(line: string): TranscriptTurn | null {
  const [, speaker, time, text = ''] = TURN.exec(line) ?? []
  if (speaker === undefined || time === undefined) return null
  return { speaker: unescapeInlineMarkdown(speaker), time, text: unescapeInlineMarkdown(text) }
}

function appendLine(text: string, line: string): string {
  return [text, unescapeInlineMarkdown(line)].filter(Boolean).join(' ')
}
