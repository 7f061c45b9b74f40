import { sql } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import { shortenToOneLine } from '../language/clean-text.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { Meeting } from '../meetings/meeting.ts'
import { requireMeeting } from '../meetings/record/meeting-store.ts'
import { isFinalStatus } from '../meetings/status.ts'
import type { RecapContent, RecapMethod } from './recap.ts'
import type { ActionItem, ActionItemChange } from './store/action-item.ts'
import { changeActionItem, readActionItemsOfMeeting } from './store/action-items.ts'
import {
  listActions,
  requireListedAction,
  type ActionFilter,
  type ActionPageRequest,
  type ListedAction,
} from './store/list-actions.ts'
import { RECAP_LOOK_BACK_DAYS } from './store/recap-claims.ts'
import { renameSpeakerInRecap, type SpeakerRename } from './store/rename-speaker.ts'
import { findStoredRecap, requestRecap, type StoredRecap } from './store/stored-recap.ts'

/** The recap of a meeting as people read it. */
export type MeetingRecap = Omit<StoredRecap, 'content' | 'method' | 'madeAt' | 'documentParts'> &
  RecapContent & { method: RecapMethod; madeAt: Date; actions: ActionItem[] }

/** Reads recaps and changes action items, for the HTTP API. */
export interface Recaps {
  /** Throws `recap_not_ready` if the meeting has no recap yet. */
  get(meetingId: string): Promise<MeetingRecap>
  /** The segments that a meeting's recap cites, most important first; empty without a recap. */
  listCitedSegments(meetingId: string): Promise<number[]>
  /** The first sentence of each recap, by meeting id. Meetings without a recap are missing. */
  readGists(meetingIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Makes the recap again in the background. Throws `meeting_active` if the meeting has not ended. */
  request(meetingId: string): Promise<void>
  listActions(
    viewer: Viewer,
    filter: ActionFilter,
    page: ActionPageRequest,
  ): Promise<{ actions: ListedAction[]; nextCursor: string | null }>
  /** Renames a speaker in the transaction that changes the transcript. Call `wake` after its commit. */
  renameSpeaker(tx: Tx, meetingId: string, edit: SpeakerRename): Promise<void>
  /**
   * If the meeting has a recap, makes it again, in the transaction that changes when the meeting started: dates such as
   * “Friday” depend on it. Call `wake` after the commit.
   */
  renew(tx: Tx, meetingId: string): Promise<void>
  /** Looks now for recaps to make or write. */
  wake(): void
  /** Throws `action_not_found` if the action does not exist. */
  changeAction(id: string, change: ActionItemChange): Promise<ListedAction>
}

type Parts = { db: Db; clock: Clock; isAutomatic: boolean; wake(): void }

const MAX_GIST_CHARS = 160

export function createRecaps({ db, clock, isAutomatic, wake }: Parts): Recaps {
  return {
    async get(meetingId) {
      const meeting = await requireMeeting(db, meetingId)
      const stored = await findStoredRecap(db, meetingId)
      if (
        stored === null ||
        stored.content === null ||
        stored.method === null ||
        stored.madeAt === null
      ) {
        const isComing = stored !== null || (isAutomatic && isRecentlyEnded(meeting, clock.now()))
        throw new ServiceError('recap_not_ready', describeMissing(meeting, stored, isComing))
      }
      const { content, method, madeAt, documentParts: _, ...rest } = stored
      const actions = await readActionItemsOfMeeting(db, meetingId)
      // While a step is running, the state belongs to the previous version.
      const documentState = rest.step === 'done' ? rest.documentState : 'waiting'
      return { ...rest, ...content, meetingId, method, madeAt, documentState, actions }
    },

    async listCitedSegments(meetingId) {
      const content = (await findStoredRecap(db, meetingId))?.content
      if (content === undefined || content === null) return []
      const actions = await readActionItemsOfMeeting(db, meetingId)
      const { decisions, summary, openQuestions } = content
      const cited = [...decisions, ...actions, ...summary, ...openQuestions]
      return [...new Set(cited.flatMap(({ segmentNumbers }) => segmentNumbers))]
    },

    readGists: (meetingIds) => readGists(db, meetingIds),

    async request(meetingId) {
      const meeting = await requireMeeting(db, meetingId)
      if (!isFinalStatus(meeting.status)) throw new ServiceError('meeting_active')
      if (meeting.segmentCount === 0) {
        throw new ServiceError('recap_not_ready', describeMissing(meeting, null, false))
      }
      await requestRecap(db, meetingId, clock.now())
      wake()
    },

    async renew(tx, meetingId) {
      if ((await findStoredRecap(tx, meetingId)) !== null)
        await requestRecap(tx, meetingId, clock.now())
    },

    renameSpeaker: (tx, meetingId, edit) => renameSpeakerInRecap(tx, meetingId, edit, clock.now()),

    wake,

    listActions: (viewer, filter, page) => listActions(db, viewer, filter, page),

    async changeAction(id, change) {
      if (Object.keys(change).length > 0) {
        await changeActionItem(db, id, change, clock.now())
        wake()
      }
      return requireListedAction(db, id)
    },
  }
}

/** An imported meeting is as recent as its import, because it may have ended years ago. */
function isRecentlyEnded({ endedAt, importedAt }: Meeting, now: Date): boolean {
  const at = importedAt ?? endedAt
  return at !== null && at.getTime() >= now.getTime() - RECAP_LOOK_BACK_DAYS * DAY_MS
}

/** Why a meeting has no recap, and what to do about it. `isComing`: one is being made, even without a request. */
function describeMissing(
  { status, segmentCount }: Meeting,
  stored: StoredRecap | null,
  isComing: boolean,
): { text: string; hint?: string; retryAfterSeconds?: number } {
  if (!isFinalStatus(status)) {
    return { text: 'The meeting has not ended yet', hint: 'Its recap is made when it ends' }
  }
  if (segmentCount === 0) return { text: 'Nothing was said in this meeting' }
  if (stored !== null && stored.error !== null) {
    return { text: `The recap could not be made: ${stored.error}`, hint: REQUEST_HINT }
  }
  if (!isComing) {
    return { text: 'A recap of this meeting is made only on request', hint: REQUEST_HINT }
  }
  // No hint, because a request would start it again.
  return { text: 'The recap of this meeting is being made', retryAfterSeconds: 2 }
}

const REQUEST_HINT = 'POST /api/v1/meetings/{meetingId}/recap makes it again'

/** The first sentence of each recap's summary, cut after a word. Meetings without a recap are missing. */
async function readGists(
  db: Db,
  meetingIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (meetingIds.length === 0) return new Map()
  const { rows } = await sql<{ meetingId: string; text: string }>`
    select meeting_id as "meetingId", gist as text from recap
    where meeting_id = any(${meetingIds}::text[]) and gist <> ''`.execute(db)
  return new Map(
    rows.map(({ meetingId, text }) => [meetingId, shortenToOneLine(text, MAX_GIST_CHARS)]),
  )
}
