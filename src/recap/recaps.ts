import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { Meeting } from '../meetings/meeting.ts'
import { requireMeeting, type EventRow } from '../meetings/record/meeting-store.ts'
import { isFinalStatus } from '../meetings/status.ts'
import {
  addRecapItem,
  deleteRecapItem,
  updateRecapItem,
  type RecapEdit,
  type RecapItemRef,
} from './edit-recap-items.ts'
import { readGists } from './gists.ts'
import type { RecapMethod } from './recap.ts'
import type { ActionItem, ActionItemChange } from './store/action-item.ts'
import { announceRecapChanges } from './store/announce-changes.ts'
import { changeActionItem, readActionItemsOfMeeting } from './store/action-items.ts'
import { moveToNearestLines } from './store/nearest-lines.ts'
import {
  listActions,
  requireListedAction,
  type ActionFilter,
  type ActionPageRequest,
  type ListedAction,
} from './store/list-actions.ts'
import { listDecisions, type DecisionFilter, type ListedDecision } from './store/list-decisions.ts'
import {
  changeProjectTemplate,
  readProjectTemplate,
  type RecapTemplateChange,
} from './store/project-templates.ts'
import { RECAP_LOOK_BACK_DAYS } from './store/recap-claims.ts'
import type {
  EditedContent,
  ListedStatement,
  NewRecapItem,
  RecapItem,
  RecapItemChange,
} from './store/recap-item.ts'
import { renameSpeakerInRecap, type SpeakerRename } from './store/rename-speaker.ts'
import {
  searchStatements,
  type StatementFilter,
  type StatementOfMeeting,
} from './store/search-statements.ts'
import { findStoredRecap, requestRecap, type StoredRecap } from './store/stored-recap.ts'
import { listShownSections, type ProjectRecapSettings, type RecapSectionName } from './template.ts'

/** The recap of a meeting as people read it. */
export type MeetingRecap = Omit<StoredRecap, 'content' | 'method' | 'madeAt' | 'documentParts'> &
  Required<Omit<EditedContent, 'decisions' | 'sections'>> & {
    method: RecapMethod
    madeAt: Date
    /** The sections to show, in their order. */
    sections: RecapSectionName[]
    decisions: Array<ListedStatement & { reason: string | null }>
    actions: ActionItem[]
  }

/** Reads and changes recaps, for the HTTP API. */
export interface Recaps {
  /** Throws `recap_not_ready` if the meeting has no recap yet. */
  get(meetingId: string): Promise<MeetingRecap>
  /** The segments that a meeting's recap cites, most important first; empty without a recap. */
  listCitedSegments(meetingId: string): Promise<number[]>
  /** One line about each meeting with a recap, by id. Other meetings are missing. */
  readGists(meetingIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Makes the recap again in the background. Throws `meeting_active` if the meeting has not ended. */
  request(meetingId: string): Promise<void>
  listActions(
    viewer: Viewer,
    filter: ActionFilter,
    page: ActionPageRequest,
  ): Promise<{ actions: ListedAction[]; nextCursor: string | null }>
  listDecisions(
    viewer: Viewer,
    filter: DecisionFilter,
    page: { limit: number; cursor: string | undefined },
  ): Promise<{ decisions: ListedDecision[]; nextCursor: string | null }>
  /** Adds an item, even before the meeting has a recap. `beforeCommit` runs in the transaction that stores it. */
  addItem(
    about: { viewer: Viewer; meetingId: string; item: NewRecapItem },
    beforeCommit: (tx: Tx, item: RecapItem) => Promise<void>,
  ): Promise<void>
  /** Throws `recap_item_not_found` if the item does not exist, like `deleteItem`. */
  updateItem(item: RecapItemRef, change: RecapItemChange): Promise<RecapItem>
  deleteItem(item: RecapItemRef): Promise<void>
  /** Lists decisions, open action items or open questions, newest meeting first. */
  searchStatements(viewer: Viewer, filter: StatementFilter): Promise<StatementOfMeeting[]>
  /** Renames a speaker in the transaction that changes the transcript. Call `afterEdit` after its commit. */
  renameSpeaker(tx: Tx, meetingId: string, edit: SpeakerRename): Promise<void>
  /**
   * If the meeting has a recap, makes it again, in the transaction that changes when the meeting started: dates such as
   * “Friday” depend on it. Call `afterEdit` after the commit.
   */
  renew(tx: Tx, meetingId: string): Promise<void>
  /**
   * Lets action items and changed statements cite lines of the transcript that is used now, so that the new recap finds
   * them again, and makes the recap again, in the transaction that changes the lines. Call `afterEdit` after the commit.
   */
  followLines(tx: Tx, meetingId: string): Promise<void>
  /** What a project has decided about its recaps. */
  getTemplate(project: string): Promise<ProjectRecapSettings>
  /** Changes it for the recaps that are made from then on. `beforeCommit` can add to the transaction or throw. */
  changeTemplate(
    project: string,
    change: RecapTemplateChange,
    beforeCommit?: (tx: Tx) => Promise<void>,
  ): Promise<ProjectRecapSettings>
  /** Looks now for recaps to make or write, and sends the events about a change of this meeting. */
  afterEdit(meetingId: string): void
  /** Throws `action_not_found` if the action does not exist. */
  changeAction(id: string, change: ActionItemChange): Promise<ListedAction>
}

type Parts = {
  db: Db
  clock: Clock
  isAutomatic: boolean
  /** Where people open the console. */
  publicUrl: string
  wake(): void
  publishEvents(meetingId: string, events: readonly EventRow[]): void
  /** Notifies open consoles that a person changed the recap of a meeting. */
  onItemsChanged(meetingId: string): void
}

export function createRecaps(parts: Parts): Recaps {
  const { db, clock, isAutomatic, wake, publicUrl } = parts
  const afterEdit = (meetingId: string) => {
    wake()
    parts.publishEvents(meetingId, [])
  }
  const renew: Recaps['renew'] = async (tx, meetingId) => {
    if ((await findStoredRecap(tx, meetingId)) !== null)
      await requestRecap(tx, meetingId, clock.now())
  }
  const afterChange = (meetingId: string) => {
    afterEdit(meetingId)
    parts.onItemsChanged(meetingId)
  }
  const beginEdit = (): RecapEdit => {
    const now = clock.now()
    return {
      now,
      announce: async (tx, id) => void (await announceRecapChanges(tx, id, { at: now, publicUrl })),
    }
  }
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
      return {
        ...rest,
        ...fillContent(content, actions),
        meetingId,
        method,
        madeAt,
        documentState,
        actions,
      }
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

    renew,

    async followLines(tx, meetingId) {
      await moveToNearestLines(tx, meetingId)
      await renew(tx, meetingId)
    },

    async renameSpeaker(tx, meetingId, rename) {
      const { now, announce } = beginEdit()
      await renameSpeakerInRecap(tx, meetingId, rename, now)
      await announce(tx, meetingId)
    },

    getTemplate: (project) => readProjectTemplate(db, project),

    changeTemplate: (project, change, beforeCommit) =>
      db.transaction().execute(async (tx) => {
        await changeProjectTemplate(tx, project, change, clock.now())
        await beforeCommit?.(tx)
        return readProjectTemplate(tx, project)
      }),

    afterEdit,

    searchStatements: (viewer, filter) => searchStatements(db, viewer, filter),

    listActions: (viewer, filter, page) => listActions(db, viewer, filter, page),

    listDecisions: (viewer, filter, page) => listDecisions(db, viewer, filter, page),

    async addItem(about, beforeCommit) {
      await addRecapItem(db, about, beginEdit(), beforeCommit)
      afterChange(about.meetingId)
    },

    async updateItem(item, change) {
      const changed = await updateRecapItem(db, item, change, beginEdit())
      afterChange(item.meetingId)
      return changed
    },

    async deleteItem(item) {
      await deleteRecapItem(db, item, beginEdit())
      afterChange(item.meetingId)
    },

    async changeAction(id, change) {
      if (Object.keys(change).length > 0)
        afterChange(await changeActionItem(db, id, change, beginEdit()))
      return requireListedAction(db, id)
    },
  }
}

/** The content with the fields that recaps of older versions or by rules do not have. */
function fillContent(content: EditedContent, actions: readonly ActionItem[]) {
  const { title = null, writtenLanguage = content.language, decisions } = content
  const hasEntries = (section: RecapSectionName) =>
    (section === 'actions' ? actions : content[section]).length > 0
  return {
    ...content,
    title,
    writtenLanguage,
    sections: listShownSections(content, hasEntries),
    decisions: decisions.map((decision) => ({ ...decision, reason: decision.reason ?? null })),
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
