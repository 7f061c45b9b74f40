import type { SavedTranscript } from '../../projects/document-reader.ts'
import { toDocumentBlock, toInlineText } from './document-block.ts'

/** What a prompt can know of the execution it is read for. */
export type TemplateInputs = {
  now: Date
  timezone: string
  taskName: string
  executionId: string
  trigger: 'scheduled' | 'manual'
  scheduledFor: Date | null
  missed: number
  project: string
  /** All that may be read, the project included. */
  projects: readonly string[]
  lastRunAt: Date | null
  lastResult: string | null
  /** Newest first. */
  transcripts: readonly SavedTranscript[]
}

/** The variables of a prompt, all of them; docs/tasks.md lists them. */
export function createTemplateVariables(facts: TemplateInputs) {
  const { now, timezone, project, lastRunAt, lastResult } = facts
  const isNew = ({ settledAt }: SavedTranscript) => lastRunAt === null || settledAt > lastRunAt
  return {
    now: now.toISOString(),
    date: formatInZone(now, timezone, { year: 'numeric', month: '2-digit', day: '2-digit' }),
    time: formatInZone(now, timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timezone,
    scheduledFor: facts.scheduledFor?.toISOString() ?? null,
    task: { name: facts.taskName },
    run: { id: facts.executionId, trigger: facts.trigger, missed: facts.missed },
    project: { id: project, name: project },
    projects: facts.projects.map((id) => ({ id, name: id })),
    lastRunAt: lastRunAt?.toISOString() ?? null,
    lastResult: lastResult === null ? null : toDocumentBlock('last result', lastResult),
    transcripts: facts.transcripts.map(toTranscriptVariable),
    newTranscripts: facts.transcripts.filter(isNew).map(toTranscriptVariable),
  }
}

/** For checking a prompt before there is anything to read. */
export function createSampleVariables() {
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
  return createTemplateVariables({
    now,
    timezone: 'UTC',
    taskName: 'sample',
    executionId: 'execution_sample',
    trigger: 'manual',
    scheduledFor: now,
    missed: 0,
    project: 'api',
    projects: ['api'],
    lastRunAt: null,
    lastResult: null,
    transcripts: [transcript],
  })
}

/** A text is read only where a prompt names it. */
function toTranscriptVariable(transcript: SavedTranscript) {
  const { path, date, meetingId, status, project } = transcript
  return {
    title: toInlineText(transcript.title),
    date,
    meetingId: toInlineText(meetingId),
    status: toInlineText(status),
    project,
    participants: transcript.participants.map(toInlineText),
    path: toInlineText(path),
    get text(): Promise<string> {
      return transcript.read().then((text) => toDocumentBlock(path, text))
    },
  }
}

/** `2026-11-15` and `14:30` on the clocks of the zone. */
function formatInZone(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, ...options }).format(at)
}
