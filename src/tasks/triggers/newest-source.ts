import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { listNewestEndedMeetings } from '../../meetings/reading/ended-meetings.ts'
import { formatPathInDataFolder } from '../../projects/document-ref.ts'
import { listNewestSavedDocuments } from '../../projects/saved-documents.ts'
import { readMeetingFacts } from './occurrences.ts'
import {
  matchesEndedMeeting,
  matchesSavedDocument,
  type TaskTrigger,
  type TriggerSource,
} from './task-trigger.ts'

/** How many meetings or documents are compared with a trigger. */
const MAX_CANDIDATES = 50

/**
 * The newest meeting or document that matches a trigger and that the viewer may read, so that a task can be run on
 * demand too; null for none.
 */
export async function findNewestSource(
  db: Db,
  viewer: Viewer,
  trigger: TaskTrigger | null,
): Promise<TriggerSource | null> {
  if (trigger === null) return null
  return trigger.on === 'meeting_ended'
    ? findNewestMeeting(db, viewer, trigger)
    : findNewestDocument(db, viewer, trigger)
}

async function findNewestMeeting(
  db: Db,
  viewer: Viewer,
  trigger: TaskTrigger,
): Promise<TriggerSource | null> {
  for (const meeting of await listNewestEndedMeetings(db, viewer, MAX_CANDIDATES)) {
    if (matchesEndedMeeting(trigger, await readMeetingFacts(db, meeting))) {
      return { meetingId: meeting.id }
    }
  }
  return null
}

async function findNewestDocument(
  db: Db,
  viewer: Viewer,
  trigger: TaskTrigger,
): Promise<TriggerSource | null> {
  const documents = await listNewestSavedDocuments(db, viewer, MAX_CANDIDATES)
  const newest = documents.find((document) => matchesSavedDocument(trigger, document))
  return newest === undefined ? null : { documentPath: formatPathInDataFolder(newest) }
}
