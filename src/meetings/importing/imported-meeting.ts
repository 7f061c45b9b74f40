import { ServiceError } from '../../errors.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import { createMeetingId, type Meeting, type MeetingOptions } from '../meeting.ts'
import { cleanText } from '../sanitize/text.ts'
import type { TranscriptContent } from '../transcript/source.ts'
import { IMPORT_FORMAT_TITLES } from './format-names.ts'
import type { ImportedTranscript, ImportWarning } from './read-transcript-file.ts'
import type { ImportRequest } from './transcript-imports.ts'

export type ImportedMeeting = {
  meeting: Meeting
  content: TranscriptContent
  warnings: ImportWarning[]
}

/** The title of a meeting whose file has neither a title nor a name. */
const LABEL = 'Imported transcript'

/** No bot attended, so no option has an effect. */
const NO_OPTIONS: MeetingOptions = {
  language: null,
  botName: '',
  account: null,
  coach: false,
  events: [],
  leave: {
    lobbyTimeout: 0,
    hostTimeout: 0,
    nobodyJoined: 0,
    everyoneLeft: 0,
    silence: null,
    maxDuration: 0,
  },
}

/** Makes a meeting that is over of a transcript. */
export function buildImportedMeeting(
  request: ImportRequest,
  transcript: ImportedTranscript,
  now: Date,
): ImportedMeeting {
  const { startedAt, warnings } = findStart(request.startedAt, transcript, now)
  const endedAt = new Date(startedAt.getTime() + transcript.durationMs)
  const id = createMeetingId(now)
  const fileName = cleanText(request.fileName ?? '')
  const from = fileName === '' ? '' : ` from ${fileName}`
  const meeting: Meeting = {
    id,
    platform: IMPORTED_PLATFORM,
    url: `${IMPORTED_PLATFORM}:${id}`,
    label: LABEL,
    title: (request.title === null ? '' : cleanText(request.title)) || transcript.title,
    project: request.project,
    documentPath: null,
    status: 'ended',
    reason: null,
    detail: `Imported${from} (${IMPORT_FORMAT_TITLES[transcript.format]})`,
    startedAt,
    joinAt: null,
    liveAt: startedAt,
    endedAt,
    importedAt: now,
    participantCount: transcript.participants.length,
    segmentCount: transcript.segments.length,
    options: NO_OPTIONS,
  }
  return { meeting, content: toContent(meeting, transcript), warnings }
}

function toContent(meeting: Meeting, transcript: ImportedTranscript): TranscriptContent {
  const { startedAt, endedAt, title, label, platform } = meeting
  const at = (ms: number) => new Date(startedAt.getTime() + ms)
  return {
    title: title ?? label,
    platform,
    startedAt,
    endedAt,
    participants: transcript.participants,
    segments: transcript.segments.map(({ speaker, text, startMs }, i) => ({
      number: i + 1,
      speaker,
      text,
      startedAt: at(startMs),
    })),
    gaps: transcript.gaps.map(({ cause, startMs, endMs, afterSegment }) => ({
      cause,
      startedAt: at(startMs),
      endedAt: at(endMs),
      afterSegment,
    })),
    insights: [],
  }
}

/** The start that the caller or the file gives. Without one the meeting ends now. */
function findStart(
  requested: Date | null,
  { startedAt: found, durationMs, warnings }: ImportedTranscript,
  now: Date,
): { startedAt: Date; warnings: ImportWarning[] } {
  if (requested !== null) {
    const message = findStartProblem(requested, now)
    if (message === null)
      return { startedAt: requested, warnings: warnings.filter(isNotAboutStart) }
    throw new ServiceError('invalid_request', { details: [{ path: 'startedAt', message }] })
  }
  if (found !== null && findStartProblem(found, now) === null) return { startedAt: found, warnings }
  const problem =
    found === null
      ? 'The file does not say when the meeting started'
      : 'The start in the file is in the future'
  const message = `${problem}, so the time of the import was used`
  return {
    startedAt: new Date(now.getTime() - durationMs),
    warnings: [{ path: 'startedAt', message }, ...warnings.filter(isNotAboutStart)],
  }
}

/** Why a meeting cannot have started at this time; null if it can. */
export function findStartProblem(at: Date, now: Date): string | null {
  const isPossible = at.getTime() >= 0 && at.getTime() <= now.getTime() + DAY_MS
  return isPossible ? null : 'Must be between 1970 and a day from now'
}

function isNotAboutStart({ path }: ImportWarning): boolean {
  return path !== 'startedAt'
}
