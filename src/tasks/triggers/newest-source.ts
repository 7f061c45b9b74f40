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

/** The newest meeting or document that matches a trigger, so that a task can be run on demand too; null for none. */
export async function findNewestSource(
  db: Db,
  trigger: TaskTrigger | null,
): Promise<TriggerSource | null> {
  if (trigger === null) return null
  return trigger.on === 'meeting_ended'
    ? findNewestMeeting(db, trigger)
    : findNewestDocument(db, trigger)
}

async function findNewestMeeting(db: Db, trigger: TaskTrigger): Promise<TriggerSource | null> {
  for (const meeting of await listNewestEndedMeetings(db, MAX_CANDIDATES)) {
    if (matchesEndedMeeting(trigger, await readMeetingFacts(db, meeting))) {
      return { meetingId: meeting.id }
    }
  }
  return null
}

async function findNewestDocument(db: Db, trigger: TaskTrigger): Promise<TriggerSource | null> {
  const saved = await listNewestSavedDocuments(db, MAX_CANDIDATES)
  const found = saved.find((document) => matchesSavedDocument(trigger, document))
  return found === undefined ? null : { documentPath: formatPathInDataFolder(found) }
}
