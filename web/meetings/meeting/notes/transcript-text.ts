import { escapeHtml } from '../../../ui/format/format-text.ts'
import type { ChunkedTranscriptLines } from '../transcript/transcript-store.ts'
import { speakerDisplayName } from '../../speakers/speaker.ts'
import type { ShownGap } from '../transcript/gap-mark.tsx'

/** One person's words without interruption, or a time when nothing was recorded. */
type Paragraph = { speaker: string; startedAt: string; texts: string[] } | { gap: ShownGap }

/** How times and gaps are written. The page passes its own display functions. */
type Formats = {
  formatTime(at: string): string
  describeGap(gap: ShownGap): string
}

type Lines = Pick<ChunkedTranscriptLines, 'chunks' | 'gapsBefore' | 'gapsAtEnd'>

/** The transcript for the clipboard. Each paragraph has the name and the time above the text. */
export function formatTranscript(
  lines: Lines,
  { formatTime, describeGap }: Formats,
): { plain: string; html: string } {
  const plain: string[] = []
  const html: string[] = []
  for (const paragraph of toParagraphs(lines)) {
    if ('gap' in paragraph) {
      const text = describeGap(paragraph.gap)
      plain.push(`[${text}]`)
      html.push(`<p><em>[${escapeHtml(text)}]</em></p>`)
    } else {
      const { speaker, startedAt, texts } = paragraph
      const name = speakerDisplayName(speaker)
      const time = formatTime(startedAt)
      const text = texts.join(' ')
      plain.push(`${name} (${time})\n${text}`)
      html.push(`<p><strong>${escapeHtml(name)}</strong> (${time})<br>${escapeHtml(text)}</p>`)
    }
  }
  return { plain: `${plain.join('\n\n')}\n`, html: html.join('\n') }
}

function toParagraphs({ chunks, gapsBefore, gapsAtEnd }: Lines): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const { segmentNumber, speaker, text, timestamp } of chunks.flat()) {
    for (const gap of gapsBefore.get(segmentNumber) ?? []) paragraphs.push({ gap })
    const last = paragraphs.at(-1)
    if (last !== undefined && 'texts' in last && last.speaker === speaker) last.texts.push(text)
    else paragraphs.push({ speaker, startedAt: timestamp, texts: [text] })
  }
  for (const gap of gapsAtEnd) paragraphs.push({ gap })
  return paragraphs
}
