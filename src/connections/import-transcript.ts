import { openPrivateProject } from '../access/project-use.ts'
import { mayAccess } from '../access/subjects.ts'
import { INSTANCE_VIEWER, type Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import type { ClaimedConnection } from './poll-runner.ts'
import { ReadProblem, type ProblemCode } from './problems.ts'
import type { MeetingDetails, ProviderSession, TranscriptContent } from './provider.ts'
import { findAccount } from './read-organizers.ts'
import { changeTranscript, postponeTranscript, type DueTranscript } from './transcript-store.ts'

type Parts = { db: Db; clock: Clock; imports: Pick<TranscriptImports, 'add'> }

/** Some transcripts are listed before they can be read. After this time, they are gone. */
const NOT_READY_MS = 2 * HOUR_MS

const MAX_TITLE_CHARS = 200

const NOT_READY_RETRY_MS = 10 * MINUTE_MS

/**
 * Reads one transcript and stores it as a meeting, in the transaction that marks it as imported. Throws problems of the
 * whole connection or of the organizer.
 */
export async function importTranscript(
  parts: Parts,
  claimed: ClaimedConnection,
  session: ProviderSession,
  transcript: DueTranscript,
): Promise<void> {
  if (transcript.state === 'imported') return compareAgain(parts, claimed, session, transcript)
  try {
    const meeting = await session.readMeeting(transcript)
    requireAllowed(meeting, claimed.excludedTitles)
    const target = await findTarget(parts, claimed, transcript.organizer)
    const content = await session.readContent(transcript)
    await store(parts, claimed, transcript, {
      ...content,
      ...target,
      title: meeting.title,
    })
  } catch (error) {
    if (!(error instanceof ReadProblem) || error.scope === 'connection') throw error
    await storeProblem(parts, claimed, transcript, error)
  }
}

/** Throws if a rule leaves the meeting out. */
function requireAllowed({ title, isPrivate }: MeetingDetails, texts: readonly string[]): void {
  if (isPrivate) throw new ReadProblem('event_private')
  const folded = foldTitle(title)
  if (texts.some((text) => folded.includes(foldTitle(text))))
    throw new ReadProblem('title_excluded')
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
  found: Target & TranscriptContent & Pick<MeetingDetails, 'title'>,
): Promise<void> {
  const { title, project, viewer, content, format, startedAt, source } = found
  const request = {
    content,
    format,
    startedAt,
    detail: `Official transcript of ${source}`,
    fileName: null,
    title: title.trim() === '' ? found.fallbackTitle : cutTitle(title),
    project,
    timeZone: null,
    recapLanguage: null,
  } as const
  try {
    await imports.add(viewer, request, null, async (tx, { meeting }) =>
      changeTranscript(tx, claimed, transcript, {
        state: 'imported',
        nextAttemptAt: null,
        meetingId: meeting.id,
        contentSha256: found.sha256,
      }),
    )
  } catch (error) {
    throw toReadProblem(error) ?? error
  }
}

const cutTitle = (title: string) => Array.from(title).slice(0, MAX_TITLE_CHARS).join('')

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

const EXCLUSIONS: ReadonlySet<ProblemCode> = new Set(['title_excluded', 'event_private'])

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
  if (EXCLUSIONS.has(problem.code))
    return changeTranscript(db, claimed, transcript, {
      problem,
      state: 'excluded',
      nextAttemptAt: null,
    })
  if (problem.code === 'not_found' || problem.code === 'not_ready') {
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

/** The stored meeting stays as it is, because people may have worked with it. That the provider changed it is noted. */
async function compareAgain(
  { db, clock }: Parts,
  claimed: ClaimedConnection,
  session: ProviderSession,
  transcript: DueTranscript,
): Promise<void> {
  const done = { state: 'imported', nextAttemptAt: null } as const
  try {
    const { sha256 } = await session.readContent(transcript)
    const isSame = transcript.contentSha256?.equals(sha256) === true
    const change = isSame ? done : { ...done, changedAt: clock.now() }
    await changeTranscript(db, claimed, transcript, change)
  } catch (error) {
    if (!(error instanceof ReadProblem) || error.scope === 'connection') throw error
    await changeTranscript(db, claimed, transcript, done)
  }
}
