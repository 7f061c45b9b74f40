import { setImmediate } from 'node:timers/promises'

/** Times of a cue as Graph writes them: `0:0:5.32`, and with a minus before the transcription began. */
const TIMES =
  /^(-?)(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?[ \t]+-->[ \t]+(-?)(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?/gm

/** An earlier line is a mistake in the file. */
const MAX_BEFORE_MS = 24 * 3_600_000

/** A transcript whose times are complete and begin at 0. */
type NormalizedTranscript = {
  content: string
  /** How long before the start of the transcription the first line was said. */
  beforeStartMs: number
}

/** A transcript of the largest size takes half a second in one piece. */
const MAX_CHUNK_CHARS = 200_000

/** Completes the times of a WebVTT file of Graph, so that the usual parser can read it. */
export async function normalizeTeamsVtt(content: string): Promise<NormalizedTranscript> {
  const chunks = splitAtLines(content)
  let earliestMs = 0
  for (const chunk of chunks) {
    for (const match of chunk.matchAll(TIMES)) earliestMs = Math.min(earliestMs, toMs(match, 1))
    await setImmediate()
  }
  const beforeStartMs = Math.min(Math.abs(earliestMs), MAX_BEFORE_MS)
  const normalized: string[] = []
  for (const chunk of chunks) {
    normalized.push(moveTimes(chunk, beforeStartMs))
    await setImmediate()
  }
  return { content: normalized.join(''), beforeStartMs }
}

/** Cuts a text after line breaks. A longer line stays in one piece. */
function splitAtLines(text: string): string[] {
  const chunks: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start + MAX_CHUNK_CHARS)
    const next = end === -1 ? text.length : end + 1
    chunks.push(text.slice(start, next))
    start = next
  }
  return chunks
}

function moveTimes(text: string, byMs: number): string {
  return text.replaceAll(TIMES, (...match: string[]) => {
    const [start, end] = [toMs(match, 1), toMs(match, 6)]
    return `${formatTime(start + byMs)} --> ${formatTime(end + byMs)}`
  })
}

function toMs(match: ArrayLike<string | undefined>, from: number): number {
  const [sign, hours, minutes, seconds, fraction = ''] = Array.from(match).slice(from, from + 5)
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const total = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + ms
  return sign === '-' ? -total : total
}

function formatTime(ms: number): string {
  const whole = Math.max(0, ms)
  const pad = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0')
  const [hours, minutes, seconds] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1_000) % 60]
  return `${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(whole % 1_000, 3)}`
}
