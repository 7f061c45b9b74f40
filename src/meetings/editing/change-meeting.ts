import { findStoredViewer, type StoredViewer } from '../../access/stored-viewer.ts'
import { mayAccess, requireAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { MeetingsContext } from '../context.ts'
import type { Meeting } from '../meeting.ts'
import type { OfficialMode } from '../official/choose-lines.ts'
import {
  convertMeetingRow,
  createMeetingQuery,
  requireMeeting,
  updateMeeting,
} from '../record/meeting-store.ts'
import { findJoinTimeProblem, isWithinLead } from '../scheduling/scheduled-meetings.ts'
import { assertCanBegin, joinTimeError, type StarterParts } from '../starting/start-meeting.ts'
import { isFinalStatus } from '../status.ts'
import {
  requireStartChange,
  storeEdit,
  type EditRequest,
  type MeetingEditor,
} from './meeting-editor.ts'
import { moveMeeting, type MovedMeeting } from './move-meeting.ts'

/** Fields that are not given stay unchanged. The project changes only if the meeting is over or scheduled. */
export type MeetingChanges = {
  project?: string | undefined
  title?: string | undefined
  joinAt?: Date | undefined
  /** Only for an imported meeting. */
  startedAt?: Date | undefined
  /** Only for a meeting with an official transcript. */
  officialTranscript?: OfficialMode | undefined
}

type BeforeMove = (tx: Tx, moved: MovedMeeting) => Promise<void>

/** What runs in the transactions of a change, and who appears in the meeting's history. */
export type ChangeContext = Omit<EditRequest, 'viewer'> & { beforeMove: BeforeMove }

type Parts = Omit<MeetingsContext, 'log' | 'timeZone'> &
  Pick<StarterParts, 'capacity' | 'wakeScheduler'> & {
    editor: Pick<MeetingEditor, 'rename' | 'changeStart' | 'changeLines'>
  }

export type ChangeMeeting = (
  viewer: Viewer,
  id: string,
  changes: MeetingChanges,
  context: ChangeContext,
) => Promise<Meeting>

export function createMeetingChanger(parts: Parts): ChangeMeeting {
  const { db, clock } = parts
  return async (viewer, id, changes, context) => {
    const { project, title, joinAt, startedAt, officialTranscript } = changes
    const meeting = await requireMeeting(db, id)
    const { status, platform, options } = meeting
    if (startedAt !== undefined) requireStartChange(meeting, startedAt, clock.now())
    const problem = joinAt === undefined ? null : findJoinTimeProblem(joinAt, clock.now())
    if (problem !== null) throw joinTimeError(problem)
    if (project !== undefined)
      await requireAccess(db, viewer, { kind: 'meeting', id, action: 'move_out' })
    const isScheduled = status === 'scheduled'
    if (!isScheduled && joinAt !== undefined) throw new ServiceError('meeting_not_scheduled')
    if (project !== undefined && !isScheduled && !isFinalStatus(status))
      throw new ServiceError('meeting_active')
    if (isScheduled && joinAt !== undefined && isWithinLead(joinAt, clock.now()))
      await assertCanBegin(parts, platform, options.account)
    const isOnlyRenamed = project === undefined && joinAt === undefined
    if (isScheduled && !isOnlyRenamed)
      return changeScheduledMeeting(parts, viewer, { id, changes }, context)
    if (project !== undefined) {
      // Not earlier, because a refused request must not create the project.
      await parts.registerProject(db, viewer, project)
      await moveMeeting(parts, viewer, { id, project }, context.beforeMove)
    }
    if (startedAt !== undefined)
      await parts.editor.changeStart({ viewer, ...context }, id, startedAt)
    if (officialTranscript !== undefined)
      await parts.editor.changeLines({ viewer, ...context }, id, officialTranscript)
    if (title === undefined) return requireMeeting(db, id)
    return parts.editor.rename({ viewer, ...context }, id, title)
  }
}

async function changeScheduledMeeting(
  { db, clock, registerProject, wakeScheduler }: Parts,
  viewer: Viewer,
  { id, changes }: { id: string; changes: MeetingChanges },
  { author, beforeCommit, beforeMove }: ChangeContext,
): Promise<Meeting> {
  const { project, title, joinAt } = changes
  const meeting = await db.transaction().execute(async (tx) => {
    // Done before the meeting is locked, in the same order as when a user is removed. A refusal below rolls it back.
    if (project !== undefined) await registerProject(tx, viewer, project)
    const row = await createMeetingQuery(tx)
      .select(['expected_end_at', 'scheduled_viewer', 'token_id', 'edit_count'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError('meeting_not_found')
    // The meeting may have been moved to a private project since the request was allowed.
    await requireAccess(tx, viewer, { kind: 'meeting', id, action: 'edit' })
    const isMoved = project !== undefined && project !== row.project
    if (isMoved) await requireAccess(tx, viewer, { kind: 'meeting', id, action: 'move_out' })
    // The meeting may have begun since it was read.
    if (row.status !== 'scheduled') throw new ServiceError('meeting_not_scheduled')
    if (isMoved && row.scheduled_viewer !== null) {
      const scheduler = { viewer: row.scheduled_viewer, tokenId: row.token_id }
      await requireAccessOfScheduler(tx, scheduler, project, clock.now())
    }
    await updateMeeting(tx, id, {
      ...(title !== undefined && { title }),
      ...(joinAt !== undefined && {
        join_at: joinAt,
        started_at: joinAt,
        expected_end_at: shiftEnd(row.expected_end_at, row.join_at, joinAt),
      }),
      ...(isMoved && { project }),
    })
    const changed = await createMeetingQuery(tx).where('id', '=', id).executeTakeFirstOrThrow()
    const moved = { meeting: convertMeetingRow(changed), previousProject: row.project }
    if (isMoved) await beforeMove(tx, moved)
    if (title !== undefined && title !== row.title) {
      const names = { before: row.title, after: title, platformNames: [], undoes: null }
      const edit = {
        kind: 'title',
        number: row.edit_count + 1,
        ...names,
        at: clock.now(),
        author,
      } as const
      await storeEdit(tx, id, edit)
      await beforeCommit(tx, id, edit)
    }
    return moved.meeting
  })
  wakeScheduler()
  return meeting
}

/** The meeting's events go to the person who scheduled it, so that person needs access to the new project too. */
async function requireAccessOfScheduler(
  tx: Tx,
  scheduler: StoredViewer,
  project: string,
  now: Date,
): Promise<void> {
  const viewer = await findStoredViewer(tx, scheduler, now)
  const subject = { kind: 'new_project', id: project, action: 'edit' } as const
  if (typeof viewer !== 'string' && (await mayAccess(tx, viewer, subject))) return
  throw new ServiceError('forbidden', {
    text: 'The person or API token that scheduled the meeting may not change this project, and would get its transcript',
    hint: 'Stop the meeting and schedule it again in this project',
  })
}

/** A meeting that moves to another time keeps its expected length. */
function shiftEnd(end: Date | null, from: Date | null, to: Date): Date | null {
  return end === null || from === null
    ? end
    : new Date(end.getTime() + to.getTime() - from.getTime())
}
