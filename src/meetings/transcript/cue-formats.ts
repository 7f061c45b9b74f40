import { buildCues, type Cue } from './cues.ts'
import { formatMeetingOffset, type TranscriptContent } from './source.ts'

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

/** Writes WebVTT. The id of each cue is the number of its segment; the cue of a gap has none. */
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

const CUE_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeCue(text: string): string {
  return text.replace(/[&<>]/g, (character) => CUE_ESCAPES[character] ?? character)
}

function formatCueTimes({ startMs, endMs }: Cue, point: string): string {
  return [startMs, endMs]
    .map((ms) => `${formatMeetingOffset(ms)}${point}${String(ms % 1000).padStart(3, '0')}`)
    .join(' --> ')
}
