import { openPrivateProject } from '../access/project-use.ts'
import { mayAccess } from '../access/subjects.ts'
import { INSTANCE_VIEWER, type Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { sha256 } from '../lib/crypto.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import { readMeetingTitle, readTranscriptContent } from './microsoft/graph-requests.ts'
import type { GraphSession } from './microsoft/graph-session.ts'
import type { ClaimedConnection } from './poll-runner.ts'
import { ReadProblem } from './problems.ts'
import { findAccount } from './read-organizers.ts'
import { changeTranscript, postponeTranscript, type DueTranscript } from './transcript-store.ts'
import { setImmediate } from 'node:timers/promises'

type Parts = { db: Db; clock: Clock; imports: Pick<TranscriptImports, 'add'> }

/** Graph lists some transcripts before it hands them out. After this time, they are gone. */
const NOT_READY_MS = 2 * HOUR_MS

const MAX_TITLE_CHARS = 200

const NOT_READY_RETRY_MS = 10 * MINUTE_MS

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

/**
 * Reads one transcript and stores it as a meeting, in the transaction that marks it as imported. Throws problems of the
 * whole connection or of the organizer.
 */
export async function importTranscript(
  parts: Parts,
  claimed: ClaimedConnection,
  graph: GraphSession,
  transcript: DueTranscript,
): Promise<void> {
  if (transcript.state === 'imported') return compareAgain(parts, claimed, graph, transcript)
  try {
    const title = await readMeetingTitle(graph, transcript)
    if (isExcluded(title, claimed.excludedTitles)) {
      const problem = new ReadProblem('title_excluded')
      const change = { state: 'excluded', problem, nextAttemptAt: null } as const
      return await changeTranscript(parts.db, claimed, transcript, change)
    }
    const target = await findTarget(parts, claimed, transcript.organizer)
    const content = await readTranscriptContent(graph, transcript)
    await store(parts, claimed, transcript, { title, content, ...target })
  } catch (error) {
    if (!(error instanceof ReadProblem) || error.scope === 'connection') throw error
    await storeProblem(parts, claimed, transcript, error)
  }
}

function isExcluded(title: string, texts: readonly string[]): boolean {
  const folded = foldTitle(title)
  return texts.some((text) => folded.includes(foldTitle(text)))
}

/** Letters that look the same are the same, and so is every kind of space. */
function foldTitle(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ')
}

type Target = { project: string; viewer: Viewer }

/** Where the meeting is stored, which decides who may read it. */
async function findTarget(
  { db, clock }: Parts,
  { project }: ClaimedConnection,
  address: string,
): Promise<Target> {
  if (project !== null) {
    const subject = { kind: 'project', id: project, action: 'edit' } as const
    if (!(await mayAccess(db, INSTANCE_VIEWER, subject))) throw new ReadProblem('project_missing')
    return { project, viewer: { kind: 'service', projects: [project] } }
  }
  const user = await findAccount(db, address)
  if (user === null) throw new ReadProblem('no_account')
  const viewer = { kind: 'user', userId: user.id, role: user.role, projects: null } as const
  const own = await db
    .transaction()
    .execute((tx) => openPrivateProject(tx, viewer, user.email, clock.now()))
  return { project: own, viewer }
}

async function store(
  { imports }: Pick<Parts, 'imports'>,
  claimed: ClaimedConnection,
  transcript: DueTranscript,
  { title, content, project, viewer }: Target & { title: string; content: string },
): Promise<void> {
  const vtt = await normalizeTeamsVtt(content)
  const request = {
    content: vtt.content,
    fileName: null,
    format: 'teams-vtt',
    title: title === '' ? null : Array.from(title).slice(0, MAX_TITLE_CHARS).join(''),
    project,
    startedAt: new Date(transcript.beganAt.getTime() - vtt.beforeStartMs),
    timeZone: null,
    recapLanguage: null,
    source: 'Microsoft Teams',
  } as const
  try {
    await imports.add(viewer, request, null, async (tx, { meeting }) =>
      changeTranscript(tx, claimed, transcript, {
        state: 'imported',
        nextAttemptAt: null,
        meetingId: meeting.id,
        contentSha256: sha256(content),
      }),
    )
  } catch (error) {
    throw toReadProblem(error) ?? error
  }
}

function toReadProblem(error: unknown): ReadProblem | null {
  if (!(error instanceof ServiceError)) return null
  const { code, extras } = error
  if (code === 'storage_full') return new ReadProblem('storage_full')
  if (code === 'body_too_large') return new ReadProblem('too_large')
  if (code === 'project_not_found' || code === 'forbidden')
    return new ReadProblem('project_missing')
  if (code !== 'invalid_request') return null
  // Without the line's text: the problem is shown to every admin.
  const [detail] = extras.details ?? []
  const line = /^Line \d+/.exec(detail?.message ?? '')?.[0]
  return new ReadProblem('unreadable', line ?? 'it has no spoken text')
}

/** A transcript that is not there yet, or cannot be read now, is tried again; otherwise the reason is final. */
async function storeProblem(
  { db, clock }: Parts,
  claimed: ClaimedConnection,
  transcript: DueTranscript,
  problem: ReadProblem,
): Promise<void> {
  const now = clock.now().getTime()
  const attempts = transcript.attempts + 1
  const waits = (ms: number) => new Date(now + ms)
  const change = { problem, attempts }
  if (problem.code === 'not_found') {
    const endedAt = transcript.endedAt ?? transcript.beganAt
    const isNew = now - endedAt.getTime() < NOT_READY_MS
    return changeTranscript(db, claimed, transcript, {
      ...change,
      ...(isNew && { problem: new ReadProblem('not_ready') }),
      state: isNew ? 'waiting' : 'expired',
      nextAttemptAt: isNew ? waits(NOT_READY_RETRY_MS) : null,
    })
  }
  if (problem.scope !== 'transcript')
    return postponeTranscript(db, claimed, transcript, problem, clock.now())
  return changeTranscript(db, claimed, transcript, {
    ...change,
    state: 'failed',
    nextAttemptAt: null,
  })
}

/** The stored meeting stays as it is, because people may have worked with it. That Microsoft changed it is noted. */
async function compareAgain(
  { db, clock }: Parts,
  claimed: ClaimedConnection,
  graph: GraphSession,
  transcript: DueTranscript,
): Promise<void> {
  const done = { state: 'imported', nextAttemptAt: null } as const
  try {
    const content = await readTranscriptContent(graph, transcript)
    const isSame = transcript.contentSha256?.equals(sha256(content)) === true
    const change = isSame ? done : { ...done, changedAt: clock.now() }
    await changeTranscript(db, claimed, transcript, change)
  } catch (error) {
    if (!(error instanceof ReadProblem) || error.scope === 'connection') throw error
    await changeTranscript(db, claimed, transcript, done)
  }
}

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
