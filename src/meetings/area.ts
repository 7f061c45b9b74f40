import type { Pool } from 'pg'
import { PLATFORM_NAMES, type Platform, type PlatformName } from '../bots/platforms/platform.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { DeliveryEngine } from '../deliveries/lane/delivery-engine.ts'
import { ServiceError } from '../errors.ts'
import { createConcurrencyLimit } from '../lib/async/queues.ts'
import { stopOnShutdown, type Shutdown } from '../lib/async/shutdown.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { ProjectsArea } from '../projects/area.ts'
import { attendClaimedMeeting } from './attending/attend.ts'
import { createMeetingCapacityCheck } from './attending/claiming/capacity.ts'
import {
  startMeetingRunner,
  type CapacityGroup,
  type MeetingRunner,
} from './attending/claiming/meeting-runner.ts'
import type { CoachModelOpener } from './attending/coach-model.ts'
import type { MeetingsContext } from './context.ts'
import { updateOutdatedDocuments } from './editing/edited-document.ts'
import { createOfficialCaptures, type OfficialCaptures } from './official/captures.ts'
import { createMeetingEditor, type MeetingEditor } from './editing/meeting-editor.ts'
import { createTranscriptImports, type TranscriptImports } from './importing/transcript-imports.ts'
import { createLineNotes, type LineNotes } from './line-notes.ts'
import type { Meeting } from './meeting.ts'
import { createMeetings, type Meetings } from './meetings.ts'
import { createMeetingMetrics, type MeetingMetrics } from './metrics.ts'
import { createEventLog, type EventLog } from './reading/event-log.ts'
import { createNewEventNotifier, type NewEventNotifier } from './reading/feed.ts'
import { createMeetingBatchWriter } from './record/batch-writer.ts'
import type { EventRow } from './record/meeting-store.ts'
import { startEndedMeetingReindexer } from './record/segment-indexer.ts'
import type { BriefCounter } from './scheduling/begin-meeting.ts'
import { createMeetingScheduler } from './scheduling/meeting-scheduler.ts'
import type { EndReason } from './status.ts'

export type MeetingsArea = AsyncDisposable & {
  meetings: Meetings
  editor: MeetingEditor
  imports: TranscriptImports
  captures: OfficialCaptures
  notes: LineNotes
  eventLog: EventLog
  metrics: MeetingMetrics
  /** Calls `listener` when a meeting may have ended on this node. */
  onMeetingEnded(listener: () => void): void
  /** Passes events that were stored after their meeting ended to the meeting's lane and to the event streams. */
  publishLateEvents(meetingId: string, events: readonly EventRow[]): void
  /** Notifies open consoles on all nodes that a person changed the recap of a meeting. */
  notifyRecapItemsChanged(meetingId: string): void
}

type Parts = Omit<MeetingsContext, 'documentChanged'> & {
  pool: Pool
  tracer: Tracer
  platforms: readonly Platform[]
  membership: NodeMembership
  shutdown: Shutdown
  engine: DeliveryEngine
  projects: ProjectsArea
  bots: { bots: number; practiceBots: number }
  queue: { limit: number; timeoutMs: number }
  /** Seconds that a platform's page may take to offer a way into the meeting. */
  joinTimeout: number
  /** How long a bot waits for the platform's session to close; 10 s by default. */
  platformCloseMs: number | undefined
  /** Null when no language model is configured; the meeting coach then uses only its rules. */
  openCoachModel: CoachModelOpener | null
  findCallbackProblem(url: string): Promise<string | null>
  findAccountProblem(platform: PlatformName | null, account: string): Promise<string | null>
  findBriefCounts: BriefCounter
  /** Names of the people who were invited to a meeting, for recognized speech. */
  listInvitedNames(meetingId: string): Promise<string[]>
  /** Returns null if speech in that language can be recognized, otherwise the reason why not. */
  findSpeechProblem(language: string | null): Promise<string | null>
  /** Returns null if official transcripts of that platform are read, otherwise the reason why not. */
  findCaptureProblem(platform: PlatformName): Promise<string | null>
}

/** How many transcript documents may be written at the same time. Each write occupies a database connection. */
const MAX_CONCURRENT_DOCUMENT_WRITES = 3
/** Creates and connects the parts of the meetings area, and starts the runner that attends meetings on this node. */
export function openMeetingsArea(parts: Parts): MeetingsArea {
  const { db, pool, clock, log, tracer, membership, engine, queue, projects } = parts
  const { documentChanged } = projects
  const learnWords = (texts: readonly string[]) => void projects.spelling.learnWords(texts)
  const ledger = createMeetingBatchWriter(pool, learnWords, tracer)
  const runningBots = () => runner.listBots()
  const metrics = createMeetingMetrics({ db, limits: parts.bots, runningBots })
  const limitDocumentWrites = createConcurrencyLimit(MAX_CONCURRENT_DOCUMENT_WRITES)
  const segmentIndexer = startEndedMeetingReindexer({ db, log })
  const endListeners = [segmentIndexer.wake]
  const onEnded = createEndNotifier(membership, endListeners)
  const feed = createNewEventNotifier({ membership, onRemoteEvents: engine.invalidate })
  const runner = (membership.hasRole('bots') ? startMeetingRunner : startNoMeetings)({
    ...parts,
    capacityGroups: capacityGroupsFor(parts.bots),
    queueTimeoutMs: queue.timeoutMs,
    run: (job) =>
      attendClaimedMeeting(
        {
          ...parts,
          limitDocumentWrites,
          graceOver: parts.shutdown.graceOver,
          ledger,
          feed,
          metrics,
          laneFor: engine.openPartialSink,
          documentChanged,
          onWritten: createWrittenEventHandler(engine, feed),
        },
        job,
      ).finally(onEnded),
    onClaimed: engine.wake,
  })
  membership.onMessage('meetings_changed', runner.wake)
  const wake = () => {
    runner.wake()
    membership.broadcast('meetings_changed', {})
  }
  const publishLateEvents = createLateEventHandler(engine, feed)
  const countEnded = ({ platform }: Pick<Meeting, 'platform'>, reason: EndReason | null) => {
    if (reason !== null) metrics.countEnded(platform, reason)
    onEnded()
  }
  const scheduler = (membership.hasRole('tasks') ? createMeetingScheduler : () => null)({
    ...parts,
    async onBegun({ meeting, events, end }) {
      publishLateEvents(meeting.id, events)
      if (end === null) wake()
      else countEnded(meeting, end.reason)
      if (meeting.documentPath !== null) await documentChanged(meeting.documentPath)
    },
  })
  const { editor, updateDocuments } = openEditing({
    ...parts,
    documentChanged,
    publishLateEvents,
    onEdited(meetingId: string) {
      feed.notifyDetailsChanged(meetingId)
      segmentIndexer.wake()
    },
  })
  endListeners.push(updateDocuments)
  const meetings = createMeetings({
    ...parts,
    documentChanged,
    editor,
    capacity: createMeetingCapacityCheck(db, queue.limit),
    wake,
    wakeScheduler: () => scheduler?.wake(),
    onCancelled: feed.notify,
    onStoppedWithoutBot(meetingId, events) {
      publishLateEvents(meetingId, events)
      onEnded()
    },
  })
  const closing = new AbortController()
  const written = openWrittenTranscripts({
    ...parts,
    closing: closing.signal,
    documentChanged,
    learnWords: projects.spelling.learnWords,
    publishLateEvents,
    onImported(meetingId) {
      feed.notify(meetingId)
      onEnded()
    },
    onEnded: countEnded,
  })
  scheduler?.wake()
  const stopping = stopOnShutdown(parts.shutdown, runner)
  return {
    meetings,
    editor,
    ...written,
    notes: createLineNotes({ db, clock, onCommentsChanged: feed.notifyCommentsChanged }),
    eventLog: createEventLog({ db, feed }),
    metrics,
    onMeetingEnded: (listener) => void endListeners.push(listener),
    publishLateEvents,
    notifyRecapItemsChanged: feed.notifyRecapItemsChanged,
    async [Symbol.asyncDispose]() {
      closing.abort(new ServiceError('shutting_down'))
      await scheduler?.[Symbol.asyncDispose]()
      await segmentIndexer[Symbol.asyncDispose]()
      await stopping[Symbol.asyncDispose]()
    },
  }
}

function openEditing(parts: Parameters<typeof createMeetingEditor>[0]) {
  return {
    editor: createMeetingEditor(parts),
    /** Updates documents of ended meetings, because an edit can come after the document was completed. */
    updateDocuments(): void {
      updateOutdatedDocuments(parts).catch((error: unknown) =>
        parts.log.error({ err: error }, 'failed to look for outdated documents'),
      )
    },
  }
}

/** Transcripts that other programs wrote: files of people, and what connections find. */
const openWrittenTranscripts = (
  parts: Parameters<typeof createTranscriptImports>[0] &
    Parameters<typeof createOfficialCaptures>[0],
) => ({ imports: createTranscriptImports(parts), captures: createOfficialCaptures(parts) })

/** Passes new events to the delivery lanes and to the event streams. */
function createWrittenEventHandler(engine: DeliveryEngine, feed: NewEventNotifier) {
  return (meetingId: string, events: readonly EventRow[]) => {
    engine.push(
      meetingId,
      events.map((event) => ({ ...event, at: event.at.getTime() })),
    )
    feed.notify(meetingId)
  }
}

function createLateEventHandler(engine: DeliveryEngine, feed: NewEventNotifier) {
  const publish = createWrittenEventHandler(engine, feed)
  return (meetingId: string, events: readonly EventRow[]) => {
    publish(meetingId, events)
    // The lane may have ended. Then a node has to claim it again.
    engine.wake()
  }
}

/** Calls the listeners when a meeting ends, and notifies the other nodes if this one lacks the role `tasks`. */
function createEndNotifier(membership: NodeMembership, listeners: ReadonlyArray<() => void>) {
  const wakeListeners = () => listeners.forEach((listener) => listener())
  const doesTasks = membership.hasRole('tasks')
  if (doesTasks) membership.onMessage('follow_ups_due', wakeListeners)
  return () => {
    wakeListeners()
    if (!doesTasks) membership.broadcast('follow_ups_due', {})
  }
}

/** The runner of a node that attends no meetings. */
function startNoMeetings(): MeetingRunner {
  return { wake() {}, listBots: () => [], async [Symbol.asyncDispose]() {} }
}

/** Practice meetings need no browser, so they have their own limit. */
function capacityGroupsFor({ bots, practiceBots }: Parts['bots']): CapacityGroup[] {
  return [
    { platforms: PLATFORM_NAMES.filter((name) => name !== 'practice'), limit: bots },
    { platforms: ['practice'], limit: practiceBots },
  ]
}
