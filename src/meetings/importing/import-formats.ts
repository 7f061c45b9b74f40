import type { FoundTranscript } from './formats/found-transcript.ts'
import { isGoogleMeetText, parseGoogleMeetText } from './formats/text/google-meet-text.ts'
import {
  isHansardMarkdown,
  isHansardText,
  parseHansardMarkdown,
  parseHansardText,
} from './formats/text/hansard-documents.ts'
import { parseHansardJson } from './formats/json/hansard-json.ts'
import { isJson } from './formats/json/json-fields.ts'
import { parseJsonAs, recogniseJson } from './formats/json/read-json.ts'
import { parsePlainText } from './formats/text/plain-text.ts'
import {
  isSbv,
  isSrt,
  isTeamsVtt,
  isVtt,
  isZoomVtt,
  parseSbv,
  parseSrt,
  parseVtt,
} from './formats/subtitles/subtitles.ts'
import { isTsv, parseTsv } from './formats/subtitles/tsv.ts'
import { isTtml, parseTtml } from './formats/subtitles/ttml.ts'
import {
  isFirefliesText,
  isOtterText,
  parseFirefliesText,
  parseOtterText,
} from './formats/text/turn-headers.ts'
import type { ImportFormat } from './format-names.ts'

type FormatReader = {
  /** Whether a text that is not JSON has this format. Formats above it in the table do not match. */
  matches?(text: string): boolean
  parse(text: string): FoundTranscript
}

/**
 * How each format is recognised and read. JSON is recognised by its fields. Of the other formats the first that matches
 * is used, so the special ones are above the general.
 */
export const IMPORT_FORMAT_READERS: Readonly<Record<ImportFormat, FormatReader>> = {
  'hansard-json': { parse: parseHansardJson },
  'fireflies-json': { parse: parseJsonAs('fireflies-json') },
  'podcast-json': { parse: parseJsonAs('podcast-json') },
  'vexa-json': { parse: parseJsonAs('vexa-json') },
  'deepgram-json': { parse: parseJsonAs('deepgram-json') },
  'aws-transcribe-json': { parse: parseJsonAs('aws-transcribe-json') },
  'assemblyai-json': { parse: parseJsonAs('assemblyai-json') },
  'fathom-json': { parse: parseJsonAs('fathom-json') },
  'granola-json': { parse: parseJsonAs('granola-json') },
  'whisper-json': { parse: parseJsonAs('whisper-json') },
  json: { parse: parseJsonAs('json') },
  'teams-vtt': { matches: isTeamsVtt, parse: parseVtt },
  'zoom-vtt': { matches: isZoomVtt, parse: parseVtt },
  vtt: { matches: isVtt, parse: parseVtt },
  srt: { matches: isSrt, parse: parseSrt },
  sbv: { matches: isSbv, parse: parseSbv },
  ttml: { matches: isTtml, parse: parseTtml },
  tsv: { matches: isTsv, parse: parseTsv },
  'hansard-markdown': { matches: isHansardMarkdown, parse: parseHansardMarkdown },
  'hansard-text': { matches: isHansardText, parse: parseHansardText },
  'otter-text': { matches: isOtterText, parse: parseOtterText },
  'fireflies-text': { matches: isFirefliesText, parse: parseFirefliesText },
  'google-meet-text': { matches: isGoogleMeetText, parse: parseGoogleMeetText },
  text: { matches: () => true, parse: parsePlainText },
}

export function recogniseFormat(text: string): ImportFormat {
  if (isJson(text)) return recogniseJson(text)
  const formats = Object.keys(IMPORT_FORMAT_READERS) as ImportFormat[]
  return formats.find((name) => IMPORT_FORMAT_READERS[name].matches?.(text)) ?? 'text'
}
