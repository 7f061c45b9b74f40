import { parseFirefliesJson } from './formats/json/fireflies-json.ts'
import type { FoundTranscript } from './formats/found-transcript.ts'
import { isGoogleMeetText, parseGoogleMeetText } from './formats/text/google-meet-text.ts'
import {
  isHansardMarkdown,
  isHansardText,
  parseHansardMarkdown,
  parseHansardText,
} from './formats/text/hansard-documents.ts'
import { isHansardJson, parseHansardJson } from './formats/json/hansard-json.ts'
import { isJson } from './formats/json/json-fields.ts'
import { parsePlainText } from './formats/text/plain-text.ts'
import { isSrt, isTeamsVtt, isVtt, isZoomVtt, parseSrt, parseVtt } from './formats/subtitles/subtitles.ts'
import {
  isFirefliesText,
  isOtterText,
  parseFirefliesText,
  parseOtterText,
} from './formats/text/turn-headers.ts'
import type { ImportFormat } from './format-names.ts'

type FormatReader = {
  /** Whether a text has this format, judged by its content. Formats above it in the table do not match. */
  matches(text: string): boolean
  parse(text: string): FoundTranscript
}

/** How each format is recognised and read. The first that matches is used, so the special ones are above the general. */
export const IMPORT_FORMAT_READERS: Readonly<Record<ImportFormat, FormatReader>> = {
  'hansard-json': { matches: isHansardJson, parse: parseHansardJson },
  'fireflies-json': { matches: isJson, parse: parseFirefliesJson },
  'teams-vtt': { matches: isTeamsVtt, parse: parseVtt },
  'zoom-vtt': { matches: isZoomVtt, parse: parseVtt },
  vtt: { matches: isVtt, parse: parseVtt },
  srt: { matches: isSrt, parse: parseSrt },
  'hansard-markdown': { matches: isHansardMarkdown, parse: parseHansardMarkdown },
  'hansard-text': { matches: isHansardText, parse: parseHansardText },
  'otter-text': { matches: isOtterText, parse: parseOtterText },
  'fireflies-text': { matches: isFirefliesText, parse: parseFirefliesText },
  'google-meet-text': { matches: isGoogleMeetText, parse: parseGoogleMeetText },
  text: { matches: () => true, parse: parsePlainText },
}
