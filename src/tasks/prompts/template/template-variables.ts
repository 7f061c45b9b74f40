import type { Brief, BriefStatement } from '../../../brief/brief.ts'
import { listBriefSections, type BriefItem } from '../../../brief/brief-sections.ts'
import { formatLocalTimeWithoutOffset } from '../../../lib/time/zone-offsets.ts'
import type { SpeakerTalkTime } from '../../../meetings/reading/talk-time.ts'
import type { SavedTranscript } from '../../../projects/document-reader.ts'
import type { TriggerType } from '../../task.ts'
import { wrapInDocumentTags, toSafePromptLine, toSafePromptText } from '../../../ai/prompt-text.ts'

/** The data of an execution from which its prompt's template variables are created. */
export type TemplateInputs = {
  now: Date
  timezone: string
  taskName: string
  executionId: string
  trigger: TriggerType
  scheduledFor: Date | null
  missed: number
  project: string
  /** All projects that the task may read, including `project`. */
  projects: readonly string[]
  lastRunAt: Date | null
  lastResult: string | null
  /** The transcripts in these projects, newest first. */
  transcripts: readonly SavedTranscript[]
  /** The meeting or document of the execution; null if there is none. */
  meeting: PromptMeeting | null
  document: PromptDocument | null
  /** What is known before the meeting; null if it is over, or there is none. */
  brief: Brief | null
}

/** A segment of the transcript, or a gap in it, which has no number and no speaker. */
export type PromptTranscriptEntry = {
  number: number | null
  /** `HH:MM:SS` since the start of the meeting. */
  time: string
  speaker: string
  text: string
}

/** The meeting of an execution, as data that can be sent to a thread. */
export type PromptMeeting = {
  id: string
  title: string
  project: string
  platform: string
  status: string
  reason: string | null
  detail: string | null
  /** When it was planned to start. Of a meeting that is over, when it started. */
  startsAt: string
  endsAt: string | null
  /** Who is expected in an upcoming meeting. Empty for a meeting that is over. */
  attendees: Array<{ name: string | null; address: string }>
  /** True if earlier meetings of the series of an upcoming meeting are known. */
  isInSeries: boolean
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

export type PromptDocument = { project: string; path: string; title: string; text: string }

/** Creates all variables that a prompt can use. They are documented in docs/tasks.md. */
export function createTemplateVariables(inputs: TemplateInputs) {
  const { now, timezone, project, lastRunAt, lastResult } = inputs
  const localTime = formatLocalTimeWithoutOffset(now, timezone)
  const isNew = ({ settledAt }: SavedTranscript) => lastRunAt === null || settledAt > lastRunAt
  return {
    now: now.toISOString(),
    date: localTime.slice(0, 10),
    time: localTime.slice(11),
    timezone,
    scheduledFor: inputs.scheduledFor?.toISOString() ?? null,
    task: { name: inputs.taskName },
    run: { id: inputs.executionId, trigger: inputs.trigger, missed: inputs.missed },
    project: { id: project, name: project },
    projects: inputs.projects.map((id) => ({ id, name: id })),
    lastRunAt: lastRunAt?.toISOString() ?? null,
    lastResult: lastResult === null ? null : wrapInDocumentTags('last result', lastResult),
    transcripts: inputs.transcripts.map(toTranscriptVariable),
    newTranscripts: inputs.transcripts.filter(isNew).map(toTranscriptVariable),
    meeting: inputs.meeting && toMeetingVariable(inputs.meeting),
    document: inputs.document && toDocumentVariable(inputs.document),
    brief: inputs.brief && toBriefVariable(inputs.brief),
  }
}

/** The number of transcripts and projects in the sample, so that a prompt can use the third one, for example. */
const SAMPLE_SIZE = 20

/** Sample data for checking a prompt without running it. */
export function createSampleInputs(): TemplateInputs {
  const now = new Date()
  const transcript: SavedTranscript = {
    project: 'api',
    path: 'deployed-md-files/docs/api/meetings/sample.md',
    title: 'Sample',
    date: now.toISOString(),
    meetingId: 'meeting_0_sample',
    status: 'completed',
    participants: ['Ada'],
    settledAt: now,
    read: async () => 'Sample',
  }
  return {
    now,
    timezone: 'UTC',
    taskName: 'sample',
    executionId: 'execution_sample',
    trigger: 'manual',
    scheduledFor: now,
    missed: 0,
    project: 'api',
    projects: Array.from({ length: SAMPLE_SIZE }, () => 'api'),
    lastRunAt: null,
    lastResult: null,
    transcripts: Array.from({ length: SAMPLE_SIZE }, () => transcript),
    meeting: createSampleMeeting(now.toISOString()),
    document: { project: 'api', path: 'sample.md', title: 'Sample', text: 'Sample' },
    brief: createSampleBrief(now),
  }
}

function createSampleBrief(at: Date): Brief {
  const list = <T>(item: T): T[] => Array.from({ length: SAMPLE_SIZE }, () => item)
  const cited = { meetingId: 'meeting_0_sample', segmentNumbers: [1] }
  const statements = list({ text: 'Sample', person: 'Ada', dueDate: '2026-11-20', ...cited })
  return {
    upcoming: {
      id: 'occ_sample',
      meetingId: null,
      title: 'Sample',
      startsAt: at,
      endsAt: at,
      project: 'api',
      platform: 'practice',
      isPlanned: true,
      people: list({ name: 'Ada', address: 'ada@example.com' }),
    },
    meetings: list({
      meetingId: 'meeting_0_sample',
      title: 'Sample',
      project: 'api',
      startedAt: at,
      relation: 'series',
      gist: 'Sample',
    }),
    decisions: statements,
    actions: statements,
    openQuestions: statements,
    documents: list({ project: 'api', path: 'sample.md', title: 'Sample' }),
  }
}

function createSampleMeeting(at: string): PromptMeeting {
  const list = <T>(item: T): T[] => Array.from({ length: SAMPLE_SIZE }, () => item)
  return {
    id: 'meeting_0_sample',
    title: 'Sample',
    project: 'api',
    platform: 'practice',
    status: 'ended',
    reason: 'everyone_left',
    detail: null,
    startsAt: at,
    endsAt: at,
    attendees: list({ name: 'Ada', address: 'ada@example.com' }),
    isInSeries: true,
    startedAt: at,
    liveAt: at,
    endedAt: at,
    minutes: 30,
    words: 3000,
    documentPath: 'deployed-md-files/docs/api/meetings/sample.md',
    participants: list({ name: 'Ada', isHost: true, joinedAt: at, leftAt: at }),
    talkTime: list({ speaker: 'Ada', segments: 10, words: 150, seconds: 60, share: 0.05 }),
    insights: list({
      category: 'decision',
      severity: 'info',
      title: 'Sample',
      text: 'Sample',
      speaker: 'Ada',
      segmentNumbers: [1],
    }),
    entries: list({ number: 1, time: '00:00:00', speaker: 'Ada', text: 'Sample' }),
  }
}

/** `text` is a getter, so that a transcript is read only if the prompt uses it. */
function toTranscriptVariable(transcript: SavedTranscript) {
  const { path, date, meetingId, status, project } = transcript
  return {
    title: toSafePromptLine(transcript.title),
    date,
    meetingId: toSafePromptLine(meetingId),
    status: toSafePromptLine(status),
    project,
    participants: transcript.participants.map(toSafePromptLine),
    path: toSafePromptLine(path),
    get text(): Promise<string> {
      return transcript.read().then((text) => wrapInDocumentTags(path, text))
    },
  }
}

/** `segments` and `text` are getters, so that a long meeting costs nothing if the prompt does not use them. */
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
    startsAt: meeting.startsAt,
    endsAt: meeting.endsAt,
    series: meeting.isInSeries,
    attendees: meeting.attendees.map(({ name, address }) => ({
      name: toSafePromptLine(name ?? address),
      address: toSafePromptLine(address),
    })),
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

/** `text` has every statement with the link to its line, so that an answer can cite it. */
function toBriefVariable(brief: Brief) {
  const toStatement = ({ text, person, dueDate, meetingId, segmentNumbers }: BriefStatement) => ({
    text: toSafePromptText(text),
    person: person === null ? null : toSafePromptLine(person),
    dueDate,
    meetingId,
    segments: segmentNumbers,
  })
  return {
    meetings: brief.meetings.map(({ meetingId, title, startedAt, project, relation, gist }) => ({
      id: meetingId,
      title: toSafePromptLine(title),
      startedAt: startedAt.toISOString(),
      project,
      relation,
      gist: gist === null ? null : toSafePromptText(gist),
    })),
    decisions: brief.decisions.map(toStatement),
    actions: brief.actions.map(toStatement),
    openQuestions: brief.openQuestions.map(toStatement),
    documents: brief.documents.map(({ project, path, title }) => ({
      project,
      path: toSafePromptLine(path),
      title: toSafePromptLine(title),
    })),
    get text(): string {
      const sections = listBriefSections(brief).map(
        ({ heading, items }) => `${heading}:\n${items.map(formatBriefItem).join('\n')}`,
      )
      return wrapInDocumentTags('brief', sections.join('\n\n'))
    },
  }
}

function formatBriefItem({ text, notes, link }: BriefItem): string {
  const about = notes.length === 0 ? '' : ` (${notes.map(toSafePromptLine).join(', ')})`
  return `- ${toSafePromptText(text)}${about} [${toSafePromptLine(link.label)}](${link.path})`
}

function toDocumentVariable({ project, path, title, text }: PromptDocument) {
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

/** Formats an entry as `[12] 00:03:10 Ada: …`, so that an answer can name the segment. */
function formatEntry({ number, time, speaker, text }: PromptTranscriptEntry): string {
  return number === null ? `(${time} ${text})` : `[${number}] ${time} ${speaker}: ${text}`
}
