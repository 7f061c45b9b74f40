import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import {
  isObject,
  readElements,
  readSeconds,
  readSpokenText,
  readText,
  readTimestamp,
  requireList,
  type ElementFailure,
  type JsonObject,
} from './json-fields.ts'
import { findElementLine, parseJson } from './json-places.ts'

/** Reads the list of sentences that the app downloads, or an answer of the API that contains it. */
export function parseFirefliesJson(text: string): FoundTranscript {
  const file = parseJson(text)
  const transcript = unwrapTranscript(file)
  const list = requireList(
    Array.isArray(file) ? file : transcript['sentences'],
    'The JSON is neither a transcript of Hansard (“segments”) nor of Fireflies (“sentences”)',
  )
  const key = Array.isArray(file) ? null : 'sentences'
  const place = { text, key, name: 'Sentence', problems: createProblemList() }
  const line = findElementLine(text, key, 0)
  const segments = readElements(place, list, (item, fail) => readSentence(item, fail, line))
  const { date, dateString, duration } = transcript
  return {
    ...NOTHING_FOUND,
    title: readText(transcript['title']),
    startedAt: readTimestamp(dateString) ?? readTimestamp(date),
    // The API gives minutes.
    durationMs: typeof duration === 'number' && duration > 0 ? Math.round(duration * 60_000) : null,
    segments,
  }
}

function unwrapTranscript(file: unknown): JsonObject {
  if (!isObject(file)) return {}
  const data = isObject(file['data']) ? file['data'] : file
  return isObject(data['transcript']) ? data['transcript'] : data
}

function readSentence(item: JsonObject, fail: ElementFailure, line: number): FoundSegment | null {
  const text = readSpokenText(item, ['sentence', 'text', 'raw_text'], fail)
  if (text === null) return null
  return {
    line,
    speaker:
      readText(item['speaker_name']) ??
      readText(item['speakerName']) ??
      nameSpeaker(item['speaker_id'] ?? item['speakerId']),
    text,
    startMs: readSeconds(item['startTime'] ?? item['start_time'], fail),
    endMs: readSeconds(item['endTime'] ?? item['end_time'], fail),
  }
}

/** Speakers without a name have a number, which counts from 0. */
function nameSpeaker(id: unknown): string {
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? `Speaker ${id + 1}` : ''
}
