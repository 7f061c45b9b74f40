import { writeSrt, writeVtt } from './cue-formats.ts'
import { writeMarkdown } from './markdown-format.ts'
import { writePlainText } from './plain-format.ts'
import type { TranscriptContent } from './source.ts'

type TranscriptFormat = {
  contentType: string
  /**
   * Yields the text of the transcript in small pieces, about one per segment, so that a long transcript can be
   * streamed.
   */
  write(source: TranscriptContent): Iterable<string>
}

/** The transcript formats other than JSON, by file extension. */
export const TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION = {
  md: { contentType: 'text/markdown; charset=utf-8', write: writeMarkdown },
  txt: { contentType: 'text/plain; charset=utf-8', write: writePlainText },
  srt: { contentType: 'application/x-subrip; charset=utf-8', write: writeSrt },
  vtt: { contentType: 'text/vtt; charset=utf-8', write: writeVtt },
} as const satisfies Record<string, TranscriptFormat>
