import type { ProjectAccessStore } from '../../access/project-access.ts'
import { requireAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Meeting } from '../meeting.ts'
import { convertMeetingRow, createMeetingQuery, requireMeeting } from '../record/meeting-store.ts'
import { findJoinTimeProblem } from '../scheduling/join-times.ts'
import { joinTimeError } from '../starting/start-check.ts'
import { isFinalStatus } from '../status.ts'
import { moveMeeting, type MovedMeeting } from './move-meeting.ts'

/** What changes; a field that is not given stays. Only the project of a meeting that is over can change. */
export type MeetingChanges = {
  project?: string | undefined
  title?: string | undefined
  joinAt?: Date | undefined
}

type BeforeMove = (tx: Tx, moved: MovedMeeting) => Promise<void>

type Parts = {
  db: Db
  clock: Clock
  /** The data folder. */
  root: string
  registerProject: ProjectAccessStore['registerProject']
  documentChanged(documentPath: string): Promise<void>
  wakeScheduler(): void
}

export type ChangeMeeting = (
  viewer: Viewer,
  id: string,
  changes: MeetingChanges,
  beforeMove: BeforeMove,
) => Promise<Meeting>

export function createMeetingChanger(parts: Parts): ChangeMeeting {
  const { db, clock } = parts
  return async (viewer, id, changes, beforeMove) => {
    const { project, title, joinAt } = changes
    const { status } = await requireMeeting(db, id)
    const problem = joinAt === undefined ? null : findJoinTimeProblem(joinAt, clock.now())
    if (problem !== null) throw joinTimeError(problem)
    if (project !== undefined)
      await requireAccess(db, viewer, { kind: 'meeting', id, action: 'move_out' })
    const isScheduled = status === 'scheduled'
    if (!isScheduled && (title !== undefined || joinAt !== undefined))
      throw new ServiceError('meeting_not_scheduled')
    if (!isScheduled && !isFinalStatus(status)) throw new ServiceError('meeting_active')
    // Only now: a request that is refused must not create the project.
    if (project !== undefined) await parts.registerProject(db, viewer, project)
    if (isScheduled) return changeScheduledMeeting(parts, viewer, { id, changes }, beforeMove)
    return project === undefined
      ? requireMeeting(db, id)
      : moveMeeting(parts, viewer, { id, project }, beforeMove)
  }
}

async function changeScheduledMeeting(
  { db, wakeScheduler }: Parts,
  viewer: Viewer,
  { id, changes }: { id: string; changes: MeetingChanges },
  beforeMove: BeforeMove,
): Promise<Meeting> {
  const { project, title, joinAt } = changes
  const meeting = await db.transaction().execute(async (tx) => {
    const row = await createMeetingQuery(tx)
      .select('expected_end_at')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError('meeting_not_found')
    const isMoved = project !== undefined && project !== row.project
    if (isMoved) {
      await requireAccess(tx, viewer, { kind: 'meeting', id, action: 'move_out' })
      await requireAccess(tx, viewer, { kind: 'new_project', id: project, action: 'edit' })
    }
    // It may have begun since it was read.
    if (row.status !== 'scheduled') throw new ServiceError('meeting_not_scheduled')
    await tx
      .updateTable('meeting')
      .set({
        ...(title !== undefined && { title }),
        ...(joinAt !== undefined && {
          join_at: joinAt,
          started_at: joinAt,
          expected_end_at: shiftEnd(row.expected_end_at, row.join_at, joinAt),
        }),
        // Who chose the project must still be allowed to use it when the meeting begins.
        ...(isMoved && { project, scheduled_viewer: JSON.stringify(viewer) }),
      })
      .where('id', '=', id)
      .execute()
    const changed = await createMeetingQuery(tx).where('id', '=', id).executeTakeFirstOrThrow()
    const moved = { meeting: convertMeetingRow(changed), previousProject: row.project }
    if (isMoved) await beforeMove(tx, moved)
    return moved.meeting
  })
  wakeScheduler()
  return meeting
}

/** A meeting that moves to another time is expected to last as long as before. */
function shiftEnd(end: Date | null, from: Date | null, to: Date): Date | null {
  return end === null || from === null
    ? end
    : new Date(end.getTime() + to.getTime() - from.getTime())
}
