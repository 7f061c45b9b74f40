import { buildCues, type Cue } from './cues.ts'
import { formatOffset, type TranscriptSource } from './source.ts'

/** SubRip: counted cues; it has no escapes, so an arrow in the words loses its shaft. */
export function* writeSrt(source: TranscriptSource): Generator<string> {
  let count = 0
  for (const cue of buildCues(source)) {
    const words = `${cue.speaker}: ${cue.text}`.replace(/-{2,}>/g, '->')
    yield `${count === 0 ? '' : '\n'}${(count += 1)}\n${formatCueTimes(cue, ',')}\n${words}\n`
  }
}

/** WebVTT: each cue bears the number of its segment. */
export function* writeVtt(source: TranscriptSource): Generator<string> {
  yield 'WEBVTT\n'
  for (const cue of buildCues(source)) {
    // A space at the end of a name is ignored; without it, two dashes and the `>` would make an arrow.
    const speaker = escapeCue(cue.speaker).replace(/--$/, '-- ')
    const words = `<v ${speaker}>${escapeCue(cue.text)}`
    yield `\n${cue.number}\n${formatCueTimes(cue, '.')}\n${words}\n`
  }
}

const CUE_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeCue(text: string): string {
  return text.replace(/[&<>]/g, (character) => CUE_ESCAPES[character] ?? character)
}

function formatCueTimes({ startMs, endMs }: Cue, point: string): string {
  return [startMs, endMs]
    .map((ms) => `${formatOffset(ms)}${point}${String(ms % 1000).padStart(3, '0')}`)
    .join(' --> ')
}
