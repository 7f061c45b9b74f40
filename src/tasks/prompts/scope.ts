import type { Transcript } from '../../projects/library.ts'
import { fenced, inlineText } from './data.ts'

/** What a prompt can know of the execution it is read for. */
export type Facts = {
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
  transcripts: readonly Transcript[]
}

/** The variables of a prompt, all of them; docs/tasks.md lists them. */
export function scopeOf(facts: Facts) {
  const { now, timezone, project, lastRunAt, lastResult } = facts
  const isNew = ({ settledAt }: Transcript) => lastRunAt === null || settledAt > lastRunAt
  return {
    now: now.toISOString(),
    date: inZone(now, timezone, { year: 'numeric', month: '2-digit', day: '2-digit' }),
    time: inZone(now, timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timezone,
    scheduledFor: facts.scheduledFor?.toISOString() ?? null,
    task: { name: facts.taskName },
    run: { id: facts.executionId, trigger: facts.trigger, missed: facts.missed },
    project: { id: project, name: project },
    projects: facts.projects.map((id) => ({ id, name: id })),
    lastRunAt: lastRunAt?.toISOString() ?? null,
    lastResult: lastResult === null ? null : fenced('last result', lastResult),
    transcripts: facts.transcripts.map(toVariable),
    newTranscripts: facts.transcripts.filter(isNew).map(toVariable),
  }
}

/** For checking a prompt before there is anything to read. */
export function sampleScope() {
  const now = new Date()
  const transcript: Transcript = {
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
  return scopeOf({
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
function toVariable(transcript: Transcript) {
  const { path, date, meetingId, status, project } = transcript
  return {
    title: inlineText(transcript.title),
    date,
    meetingId: inlineText(meetingId),
    status: inlineText(status),
    project,
    participants: transcript.participants.map(inlineText),
    path: inlineText(path),
    get text(): Promise<string> {
      return transcript.read().then((text) => fenced(path, text))
    },
  }
}

/** `2026-11-15` and `14:30` on the clocks of the zone. */
function inZone(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, ...options }).format(at)
}
