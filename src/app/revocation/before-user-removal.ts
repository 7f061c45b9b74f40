import { handOverProjectsOfUser } from '../../access/project-access.ts'
import type { BeforeUserRemoval } from '../../accounts/users/user-changes.ts'
import { removeCalendarsOfUser } from '../../calendars/calendars.ts'
import { endScheduledMeetingsOfUser } from '../../meetings/scheduling/scheduled-meetings.ts'
import { disableTasksOfUser } from '../../tasks/task-store.ts'

/** Handles a user's projects, tasks, calendars and scheduled meetings, in the transaction that removes the user. */
export const beforeUserRemoval: BeforeUserRemoval = async (tx, removed) => {
  const { userId, newOwnerId, actor, now } = removed
  await handOverProjectsOfUser(tx, userId, newOwnerId, { actor, now })
  await disableTasksOfUser(tx, userId, now)
  await removeCalendarsOfUser(tx, userId, now)
  await endScheduledMeetingsOfUser(tx, userId, now)
}
