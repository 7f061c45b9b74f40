import { cleanInlineText } from './markdown-text.ts'
import {
  insertGapsBetweenSegments,
  sortByStart,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatGap,
  gapDurationMs,
  isGap,
  WORDS_MISSING,
  type TranscriptContent,
  type TranscriptEntry,
  formatMeetingOffset,
} from './source.ts'

/**
 * A subtitle: the cleaned words of a segment and when they are shown, in milliseconds since the meeting started. For a
 * gap, a subtitle without speaker and segment number.
 */
export type Cue = {
  number: number | null
  startMs: number
  endMs: number
  speaker: string | null
  text: string
}

const MIN_CUE_MS = 1000
const CHARS_PER_SECOND = 15

const CUE_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Builds the cues of a transcript, sorted by time and without overlaps. A cue lasts until the next one starts, but at
 * least a second, and at most as long as its words take to read or as its gap lasts. If speakers overlap, the later cue
 * is delayed.
 */
export function* buildCues({
  segments,
  gaps,
  startedAt,
  endedAt,
}: Pick<TranscriptContent, 'segments' | 'gaps' | 'startedAt' | 'endedAt'>): Generator<Cue> {
  // While the meeting is live, segments are in the order in which they became final. Cues are always sorted by time.
  const spoken = sortByStart(segments.filter(({ text }) => cleanInlineText(text) !== ''))
  const entries = [...insertGapsBetweenSegments({ segments: spoken, gaps, endedAt })]
  let freeFrom = 0
  for (const [index, entry] of entries.entries()) {
    const content = cueContent(entry)
    const startMs = Math.max(calculateSegmentOffsetMs(entry, startedAt), freeFrom)
    const untilNextMs = msUntilNext(entries[index + 1], startedAt, startMs)
    const durationMs = isGap(entry) ? gapDurationMs(entry) : estimateSpeechMs(content.text)
    const endMs = startMs + Math.max(MIN_CUE_MS, Math.min(durationMs, untilNextMs))
    yield { ...content, startMs, endMs }
    freeFrom = endMs
  }
}

function cueContent(entry: TranscriptEntry): Pick<Cue, 'number' | 'speaker' | 'text'> {
  if (isGap(entry)) return { number: null, speaker: null, text: `[${formatGap(entry)}]` }
  const { number, isIncomplete } = entry
  const mark = isIncomplete ? `[${WORDS_MISSING}] ` : ''
  const text = `${mark}${cleanInlineText(entry.text)}`
  return { number, speaker: formatDisplaySpeaker(entry), text }
}

function msUntilNext(next: TranscriptEntry | undefined, startedAt: Date, fromMs: number): number {
  return next === undefined ? Infinity : calculateSegmentOffsetMs(next, startedAt) - fromMs
}

/** How long it takes to say or read a text. Captions have no durations. */
export function estimateSpeechMs(text: string): number {
  return Math.ceil((text.length * 1000) / CHARS_PER_SECOND)
}

/** Writes SubRip. The format has no escapes, so `-->` in the text is shortened to `->`. */
export function* writeSrt(source: TranscriptContent): Generator<string> {
  let count = 0
  for (const cue of buildCues(source)) {
    const text = [cue.speaker, cue.text]
      .filter((part) => part !== null)
      .join(': ')
      .replace(/(?<!-)-{2,}>/g, '->')
    yield `${count === 0 ? '' : '\n'}${(count += 1)}\n${formatCueTimes(cue, ',')}\n${text}\n`
  }
}

/** Writes WebVTT. A cue's id is the number of its segment. The cue of a gap has no id. */
export function* writeVtt(source: TranscriptContent): Generator<string> {
  yield 'WEBVTT\n'
  for (const cue of buildCues(source)) {
    const id = cue.number === null ? '' : `${cue.number}\n`
    const voice = cue.speaker === null ? '' : formatVoice(cue.speaker)
    yield `\n${id}${formatCueTimes(cue, '.')}\n${voice}${escapeCue(cue.text)}\n`
  }
}

/** A name that ends in `--` would form `-->` with the closing `>`. WebVTT ignores the added space. */
function formatVoice(speaker: string): string {
  return `<v ${escapeCue(speaker).replace(/--$/, '-- ')}>`
}

function escapeCue(text: string): string {
  return text.replace(/[&<>]/g, (character) => CUE_ESCAPES[character] ?? character)
}

function formatCueTimes({ startMs, endMs }: Cue, point: string): string {
  return [startMs, endMs]
    .map((ms) => `${formatMeetingOffset(ms)}${point}${String(ms % 1000).padStart(3, '0')}`)
    .join(' --> ')
}
