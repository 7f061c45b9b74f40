import { openPrivateProject } from '../access/project-use.ts'
import { mayAccess } from '../access/subjects.ts'
import { INSTANCE_VIEWER, type Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import type { Meeting } from '../meetings/meeting.ts'
import type { OfficialCaptures } from '../meetings/official/captures.ts'
import type { OfficialTranscripts } from '../meetings/official/official-transcripts.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import type { ClaimedConnection } from './poll-runner.ts'
import { ReadProblem, type ProblemCode } from './problems.ts'
import type { MeetingDetails, ProviderSession, TranscriptContent } from './provider.ts'
import { findAccount } from './read-organizers.ts'
import { changeTranscript, postponeTranscript, type DueTranscript } from './transcript-store.ts'

/** What transcripts become in the rest of the service. */
export type TranscriptTargets = {
  imports: Pick<TranscriptImports, 'add' | 'readLines'>
  official: Pick<OfficialTranscripts, 'findRooms' | 'findAttendedMeeting' | 'add'>
  captures: Pick<OfficialCaptures, 'complete'>
  /** The occurrence of the meeting in a calendar of its organizer; null if there is none. */
  findOccurrence(
    organizerId: string,
    about: { rooms: readonly string[]; from: Date; until: Date },
  ): Promise<FoundOccurrence | null>
}

/** `refusal`: the text of why the calendar leaves the meeting out; null if it does not. */
export type FoundOccurrence = {
  title: string
  project: string
  meetingId: string | null
  refusal: string | null
}

type Parts = { db: Db; clock: Clock } & TranscriptTargets

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
    const place = await findPlace(parts, transcript, meeting.links ?? [])
    const { occurrence } = place
    if (occurrence !== null)
      requireAllowed({ ...meeting, title: occurrence.title }, claimed.excludedTitles)
    if (occurrence?.refusal) throw new ReadProblem('calendar_excluded', occurrence.refusal)
    const target = await findTarget(parts, claimed, transcript.organizer, place)
    const attended = await findAttended(parts, transcript, place, target)
    const content = await session.readContent(transcript)
    const found = { ...content, ...target, title: occurrence?.title || meeting.title }
    if (attended === null) await store(parts, claimed, transcript, found)
    else if (isWaiting(attended.meeting))
      await completeCapture(parts, claimed, transcript, attended.meeting.id, found)
    else await storeWithBot(parts, claimed, transcript, attended, content)
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

type Place = { rooms: string[]; organizer: Organizer | null; occurrence: FoundOccurrence | null }

/** The organizer's account here, with its current rights. */
type Organizer = Extract<Viewer, { kind: 'user' }>

/** Where the meeting took place, and its occurrence in a calendar of the organizer. */
async function findPlace(
  { db, official, findOccurrence }: Parts,
  transcript: DueTranscript,
  links: readonly string[],
): Promise<Place> {
  const rooms = official.findRooms(links)
  const user = await findAccount(db, transcript.organizer)
  const organizer = user && toViewer(user)
  const about = { rooms, ...toTimes(transcript) }
  const occurrence = organizer && (await findOccurrence(organizer.userId, about))
  return { rooms, organizer, occurrence }
}

function toViewer({ id, role }: { id: string; role: Organizer['role'] }): Organizer {
  return { kind: 'user', userId: id, role, projects: null }
}

function toTimes({ beganAt, endedAt }: DueTranscript): { from: Date; until: Date } {
  return { from: beganAt, until: endedAt ?? beganAt }
}

/** The meeting that a bot attended and whose readers may get the transcript; null if there is none. */
async function findAttended(
  { db, official }: Parts,
  transcript: DueTranscript,
  { rooms, organizer, occurrence }: Place,
  { project, viewer }: Target,
): Promise<{ meeting: Meeting; viewer: Viewer } | null> {
  const found = await official.findAttendedMeeting({
    rooms,
    meetingId: occurrence?.meetingId ?? null,
    ...toTimes(transcript),
    project,
    organizerId: organizer?.userId ?? null,
  })
  if (found === null) return null
  const { id, project: attendedIn } = found
  if (attendedIn !== project) {
    // The organizer sent the bot, and may have lost that project since.
    const subject = { kind: 'meeting', id, action: 'edit' } as const
    if (organizer === null || !(await mayAccess(db, organizer, subject))) return null
  }
  if (found.endedAt === null && !isWaiting(found)) throw new ReadProblem('bot_attending')
  return { meeting: found, viewer: attendedIn === project ? viewer : (organizer ?? viewer) }
}

function isWaiting({ status }: Meeting): boolean {
  return status === 'awaiting_transcript'
}

type Target = { project: string; viewer: Viewer }

/** Where the meeting is stored, which decides who may read it. */
async function findTarget(
  { db, clock }: Parts,
  { project }: ClaimedConnection,
  address: string,
  { organizer, occurrence }: Place,
): Promise<Target> {
  const planned = occurrence && organizer && (await findPlannedTarget(db, organizer, occurrence))
  if (planned !== null) return planned
  if (project !== null) {
    const subject = { kind: 'project', id: project, action: 'edit' } as const
    if (!(await mayAccess(db, INSTANCE_VIEWER, subject))) throw new ReadProblem('project_missing')
    return { project, viewer: { kind: 'service', projects: [project] } }
  }
  const user = await findAccount(db, address)
  if (user === null) throw new ReadProblem('no_account')
  const viewer = toViewer(user)
  const own = await db
    .transaction()
    .execute((tx) => openPrivateProject(tx, viewer, user.email, clock.now()))
  return { project: own, viewer }
}

/** The project of the calendar, if its person may still use it. */
async function findPlannedTarget(
  db: Db,
  viewer: Organizer,
  { project }: FoundOccurrence,
): Promise<Target | null> {
  const mayUse = await mayAccess(db, viewer, { kind: 'project', id: project, action: 'edit' })
  return mayUse ? { project, viewer } : null
}

/** How long the last line of a transcript lasts at most. */
const LAST_LINE_MS = 10_000

/** Ends the meeting that waits for this transcript. */
async function completeCapture(
  { imports, captures }: Parts,
  claimed: ClaimedConnection,
  transcript: DueTranscript,
  meetingId: string,
  { sha256, content, format, startedAt, title }: TranscriptContent & { title: string },
): Promise<void> {
  try {
    const lines = await imports.readLines({ content, format, startedAt })
    const lastMs = lines.reduce((last, { atMs }) => Math.max(last, atMs), startedAt.getTime())
    const endedAt = transcript.endedAt ?? new Date(lastMs + LAST_LINE_MS)
    const captured = { lines, startedAt, endedAt, title: cutTitle(title) }
    await captures.complete(meetingId, captured, async (tx) =>
      changeTranscript(tx, claimed, transcript, {
        state: 'imported',
        nextAttemptAt: null,
        meetingId,
        contentSha256: sha256,
      }),
    )
  } catch (error) {
    throw toReadProblem(error) ?? error
  }
}

/** Adds the transcript to the meeting that a bot attended. */
async function storeWithBot(
  { official }: Parts,
  claimed: ClaimedConnection,
  transcript: DueTranscript,
  { meeting, viewer }: { meeting: Meeting; viewer: Viewer },
  { sha256, content, format, startedAt, source }: TranscriptContent,
): Promise<void> {
  const { endedAt } = transcript
  const found = { content, format, startedAt, endedAt, source }
  try {
    await official.add(meeting, viewer, found, async (tx) =>
      changeTranscript(tx, claimed, transcript, {
        state: 'imported',
        nextAttemptAt: null,
        meetingId: meeting.id,
        contentSha256: sha256,
      }),
    )
  } catch (error) {
    throw toReadProblem(error) ?? error
  }
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
  // The bot or a person changed it since it was found. The next attempt finds what is there then.
  if (code === 'meeting_active' || code === 'meeting_not_found')
    return new ReadProblem('bot_attending')
  if (code === 'project_not_found' || code === 'forbidden')
    return new ReadProblem('project_missing')
  if (code !== 'invalid_request') return null
  // Without the line's text: the problem is shown to every admin.
  const [detail] = extras.details ?? []
  const line = /^Line \d+/.exec(detail?.message ?? '')?.[0]
  return new ReadProblem('unreadable', line ?? 'it has no spoken text')
}

const EXCLUSIONS: ReadonlySet<ProblemCode> = new Set([
  'title_excluded',
  'event_private',
  'calendar_excluded',
])

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
  if (problem.code === 'bot_attending')
    return changeTranscript(db, claimed, transcript, {
      problem,
      state: 'waiting',
      nextAttemptAt: waits(NOT_READY_RETRY_MS),
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
