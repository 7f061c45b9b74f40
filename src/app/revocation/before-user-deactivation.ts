import type { BeforeUserDeactivation } from '../../accounts/users/deactivation.ts'
import { pauseCalendarsOfUser } from '../../calendars/calendars.ts'
import { stopMeetingsOfUser } from '../../meetings/attending/stop-meetings.ts'
import { endScheduledMeetingsOfUser } from '../../meetings/scheduling/scheduled-meetings.ts'
import { disableTasksOfUser } from '../../tasks/task-store.ts'

/** Ends what other areas do for a user, in the transaction that deactivates the user. Nothing is deleted. */
export const beforeUserDeactivation: BeforeUserDeactivation = async (tx, { userId, now }) => {
  await disableTasksOfUser(tx, userId, now)
  await pauseCalendarsOfUser(tx, userId, now)
  await endScheduledMeetingsOfUser(tx, userId, now)
  await stopMeetingsOfUser(tx, userId, now)
}
