import type { SpeakerTalkTime } from '../../../meetings/reading/talk-time.ts'
import { toSafePromptLine, toSafePromptText, wrapInDocumentTags } from '../document-block.ts'

/** A segment of the transcript, or a gap in it, which has no number and no speaker. */
export type PromptTranscriptEntry = {
  number: number | null
  /** `HH:MM:SS` since the start of the meeting. */
  time: string
  speaker: string
  text: string
}

/** The meeting that an execution is about, as data that can be sent to a thread. */
export type PromptMeeting = {
  id: string
  title: string
  project: string
  platform: string
  status: string
  reason: string | null
  detail: string | null
  startedAt: string
  liveAt: string | null
  endedAt: string | null
  minutes: number
  words: number
  documentPath: string | null
  participants: Array<{ name: string; isHost: boolean; joinedAt: string; leftAt: string | null }>
  talkTime: SpeakerTalkTime[]
  insights: Array<{
    category: string
    severity: string
    title: string
    text: string
    speaker: string | null
    segmentNumbers: number[]
  }>
  /** In reading order. */
  entries: PromptTranscriptEntry[]
}

/** The document that an execution is about. */
export type PromptDocument = { project: string; path: string; title: string; text: string }

/** `segments` and `text` are getters, so that a prompt that does not use them does not pay for a long meeting. */
export function toMeetingVariable(meeting: PromptMeeting) {
  const { documentPath, detail, talkTime } = meeting
  let safeEntries: PromptTranscriptEntry[] | null = null
  const readEntries = () => (safeEntries ??= meeting.entries.map(toSafeEntry))
  return {
    id: meeting.id,
    title: toSafePromptLine(meeting.title),
    project: meeting.project,
    platform: meeting.platform,
    status: meeting.status,
    reason: meeting.reason,
    detail: detail === null ? null : toSafePromptLine(detail),
    startedAt: meeting.startedAt,
    liveAt: meeting.liveAt,
    endedAt: meeting.endedAt,
    minutes: meeting.minutes,
    words: meeting.words,
    path: documentPath === null ? null : toSafePromptLine(documentPath),
    participants: meeting.participants.map((one) => ({ ...one, name: toSafePromptLine(one.name) })),
    talkTime: talkTime.map((one) => ({ ...one, speaker: toSafePromptLine(one.speaker) })),
    insights: meeting.insights.map((one) => ({
      category: one.category,
      severity: one.severity,
      title: toSafePromptText(one.title),
      text: toSafePromptText(one.text),
      speaker: one.speaker === null ? null : toSafePromptLine(one.speaker),
      segments: one.segmentNumbers,
    })),
    get segments() {
      return readEntries().filter(({ number }) => number !== null)
    },
    get text(): string {
      const lines = readEntries().map(formatEntry).join('\n')
      return wrapInDocumentTags(documentPath ?? meeting.id, lines)
    },
  }
}

export function toDocumentVariable({ project, path, title, text }: PromptDocument) {
  return {
    project,
    path: toSafePromptLine(path),
    title: toSafePromptLine(title),
    get text(): string {
      return wrapInDocumentTags(path, text)
    },
  }
}

function toSafeEntry(entry: PromptTranscriptEntry): PromptTranscriptEntry {
  const { number, time, speaker, text } = entry
  return { number, time, speaker: toSafePromptLine(speaker), text: toSafePromptText(text) }
}

/** `[12] 00:03:10 Ada: …`, so that an answer can name the segment. */
function formatEntry({ number, time, speaker, text }: PromptTranscriptEntry): string {
  return number === null ? `(${time} ${text})` : `[${number}] ${time} ${speaker}: ${text}`
}
