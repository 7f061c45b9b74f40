import { sql } from 'kysely'
import { requireAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { UNKNOWN_SPEAKER } from '../../language/person-names.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findStartProblem } from '../importing/imported-meeting.ts'
import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import type { Meeting } from '../meeting.ts'
import {
  convertMeetingRow,
  createMeetingQuery,
  requireMeeting,
  updateMeeting,
  type EventRow,
} from '../record/meeting-store.ts'
import type { OfficialMode } from '../official/choose-lines.ts'
import {
  addOfficialTranscript,
  announceLines,
  chooseOfficialMode,
  restoreLines,
  type LinesChange,
  type OfficialAddition,
} from '../official/edit-lines.ts'
import { repairDocuments, type RepairParts } from '../record/transcript-document.ts'
import { isFinalStatus } from '../status.ts'
import {
  findUndoableEdits,
  insertEdit,
  listEdits,
  requireEdit,
  type EditAuthor,
  type EditKind,
  type MeetingEdit,
} from './edit-history.ts'
import { updateEditedDocument } from './edited-document.ts'
import {
  cleanSpeakerName,
  findPlatformNames,
  storeSpeakerName,
  toSpeakerNames,
  type SpeakerNames,
} from './speaker-names.ts'

/** On whose behalf a meeting is edited. `beforeCommit` runs in the edit's transaction. */
export type EditRequest = {
  viewer: Viewer
  author: EditAuthor
  beforeCommit(tx: Tx, meetingId: string, edit: MeetingEdit): Promise<void>
}

/** Changes titles, speakers' names, the start of imports, and the use of official transcripts. Every change is recorded in the meeting's history. */
export type MeetingEditor = ReturnType<typeof createMeetingEditor>

export type RenamedSpeaker = {
  from: string
  /** The name after cleaning. */
  to: string
}

type Parts = RepairParts & {
  clock: Clock
  onEdited(meetingId: string): void
  /** Sends events that were stored after the end of a meeting. */
  publishLateEvents(meetingId: string, events: readonly EventRow[]): void
}

type LockedMeeting = { meeting: Meeting; names: SpeakerNames; editCount: number }
type Change = Pick<MeetingEdit, 'kind' | 'before' | 'after' | 'platformNames' | 'undoes'>

export function createMeetingEditor(parts: Parts) {
  const { db, clock } = parts

  /** Locks the meeting, runs `change` and stores the edit that it returns. Null means that nothing changed. */
  const edit = async (
    { viewer, author, beforeCommit }: EditRequest,
    meetingId: string,
    change: (tx: Tx, locked: LockedMeeting) => Promise<Change | null>,
  ): Promise<void> => {
    const announced = await db.transaction().execute(async (tx) => {
      const locked = await lockMeeting(tx, meetingId)
      // The meeting may have been moved since the request was allowed.
      await requireAccess(tx, viewer, { kind: 'meeting', id: meetingId, action: 'edit' })
      const changed = await change(tx, locked)
      if (changed === null) return null
      const stored = { ...changed, number: locked.editCount + 1, at: clock.now(), author }
      await storeEdit(tx, meetingId, stored)
      await beforeCommit(tx, meetingId, stored)
      return changed.kind === 'lines'
        ? announceLines(tx, meetingId, changed.after ?? '', stored.at)
        : []
    })
    if (announced === null) return
    parts.onEdited(meetingId)
    if (announced.length > 0) parts.publishLateEvents(meetingId, announced)
    await writeEditedDocument(parts, meetingId)
  }

  return {
    /** Works for a meeting with any status. */
    async rename(request: EditRequest, meetingId: string, title: string): Promise<Meeting> {
      await edit(request, meetingId, async (tx, { meeting }) => {
        if (meeting.title === title) return null
        await updateMeeting(tx, meetingId, { title })
        return toChange('title', meeting.title, title)
      })
      return requireMeeting(db, meetingId)
    },

    /** Shows a speaker under another name. Two speakers with the same name are shown as one. */
    async renameSpeaker(
      request: EditRequest,
      meetingId: string,
      { from, to: raw }: { from: string; to: string },
    ): Promise<RenamedSpeaker> {
      const to = cleanSpeakerName(raw)
      await edit(request, meetingId, async (tx, { meeting, names }) => {
        if (from === UNKNOWN_SPEAKER && !isFinalStatus(meeting.status)) throw unknownSpeakerError()
        const platformNames = await findPlatformNames(tx, meetingId, names, from)
        if (platformNames.length === 0) throw noSuchSpeakerError()
        if (from === to) return null
        await storeSpeakerName(tx, meetingId, { names, platformNames, to })
        return toChange('speaker', from, to, platformNames)
      })
      return { from, to }
    },

    /** Changes when an imported meeting started. All its times move along. */
    async changeStart(request: EditRequest, meetingId: string, startedAt: Date): Promise<Meeting> {
      await edit(request, meetingId, async (tx, { meeting }) => {
        requireStartChange(meeting, startedAt, clock.now())
        if (startedAt.getTime() === meeting.startedAt.getTime()) return null
        await storeStart(tx, meeting, startedAt)
        return toChange('start', meeting.startedAt.toISOString(), startedAt.toISOString())
      })
      return requireMeeting(db, meetingId)
    },

    /** Changes what the official transcript of a meeting is used for. */
    async changeLines(request: EditRequest, meetingId: string, mode: OfficialMode) {
      await edit(request, meetingId, async (tx) =>
        toLinesChange(await chooseOfficialMode(tx, meetingId, mode)),
      )
      return requireMeeting(db, meetingId)
    },

    /** `afterStore` runs in the transaction that stores the transcript, whether or not the lines change. */
    addOfficialTranscript: (
      request: EditRequest,
      meetingId: string,
      addition: OfficialAddition,
      afterStore: (tx: Tx) => Promise<void>,
    ): Promise<void> =>
      edit(request, meetingId, async (tx, { meeting }) => {
        const changed = await addOfficialTranscript(tx, meeting, addition)
        await afterStore(tx)
        return toLinesChange(changed)
      }),

    /** The edits of a meeting, newest first. */
    async history(meetingId: string): Promise<Array<MeetingEdit & { canUndo: boolean }>> {
      await requireMeeting(db, meetingId)
      const undoable = await findUndoableEdits(db, meetingId)
      const edits = await listEdits(db, meetingId)
      return edits.map((edit) => ({ ...edit, canUndo: undoable.has(edit.number) }))
    },

    /**
     * Restores what an edit changed. The undo is an edit too, but cannot be undone. Only the newest edit of its kind that
     * is in effect can be undone, so that the others stay right; otherwise this throws `edit_not_newest`.
     */
    async undo(request: EditRequest, meetingId: string, number: number) {
      await requireMeeting(db, meetingId)
      const { kind, before, after, platformNames } = await requireEdit(db, meetingId, number)
      await edit(request, meetingId, async (tx, { meeting, names }) => {
        const undoable = await findUndoableEdits(tx, meetingId)
        if (!undoable.has(number)) throw new ServiceError('edit_not_newest')
        if (kind === 'title') await updateMeeting(tx, meetingId, { title: before })
        else if (kind === 'start') await storeStart(tx, meeting, new Date(before ?? 0))
        else if (kind === 'lines') await restoreLines(tx, meetingId, before ?? '')
        else await storeSpeakerName(tx, meetingId, { names, platformNames, to: before ?? '' })
        return { kind, before: after, after: before, platformNames, undoes: number }
      })
    },
  }
}

function toLinesChange(change: LinesChange | null): Change | null {
  return change && toChange('lines', change.before, change.after)
}

function toChange(
  kind: EditKind,
  before: string | null,
  after: string | null,
  platformNames: string[] = [],
): Change {
  return { kind, before, after, platformNames, undoes: null }
}

async function lockMeeting(tx: Tx, meetingId: string): Promise<LockedMeeting> {
  const row = await createMeetingQuery(tx)
    .select(['speaker_names', 'edit_count'])
    .where('id', '=', meetingId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('meeting_not_found')
  return {
    meeting: convertMeetingRow(row),
    names: toSpeakerNames(row.speaker_names),
    editCount: row.edit_count,
  }
}

/** Adds an edit to the history of a locked meeting. The meeting's words are then indexed again for the search. */
export async function storeEdit(tx: Tx, meetingId: string, edit: MeetingEdit): Promise<void> {
  await insertEdit(tx, meetingId, edit)
  await updateMeeting(tx, meetingId, { edit_count: edit.number, words_version: 0 })
}

/** Only logs a failure: the edit is stored, and a maintenance job writes the document later. */
async function writeEditedDocument(parts: Parts, meetingId: string): Promise<void> {
  await repairDocuments(parts, {
    meetingIds: [meetingId],
    write: () => updateEditedDocument(parts, meetingId),
    failure: 'failed to update the document of an edited meeting',
  })
}

function noSuchSpeakerError(): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'from', message: 'Nobody has this name in the meeting' }],
  })
}

/** Several people may speak without a name, so later lines must not get the name of one of them. */
function unknownSpeakerError(): ServiceError {
  return new ServiceError('meeting_active', {
    text: 'The lines of an unknown speaker can get a name after the meeting has ended',
  })
}

/** Throws `invalid_request` for a meeting that a bot attended, and for an impossible start. */
export function requireStartChange(
  { platform }: Pick<Meeting, 'platform'>,
  startedAt: Date,
  now: Date,
): void {
  const message =
    platform === IMPORTED_PLATFORM
      ? findStartProblem(startedAt, now)
      : 'Only the start of an imported meeting can be changed'
  if (message === null) return
  throw new ServiceError('invalid_request', { details: [{ path: 'startedAt', message }] })
}

/** Shifts all times of a locked meeting so that it starts at the given time. */
async function storeStart(tx: Tx, meeting: Meeting, startedAt: Date): Promise<void> {
  const seconds = (startedAt.getTime() - meeting.startedAt.getTime()) / 1000
  const moved = (column: string) =>
    sql`${sql.ref(column)} = ${sql.ref(column)} + make_interval(secs => ${seconds}::float8)`
  await sql`update meeting set ${moved('started_at')}, ${moved('live_at')}, ${moved('ended_at')}
    where id = ${meeting.id}`.execute(tx)
  await sql`update segment set ${moved('started_at')} where meeting_id = ${meeting.id}`.execute(tx)
  await sql`update participant set ${moved('joined_at')}, ${moved('left_at')}
    where meeting_id = ${meeting.id}`.execute(tx)
  await sql`update transcript_gap set ${moved('started_at')}, ${moved('ended_at')}
    where meeting_id = ${meeting.id}`.execute(tx)
}
