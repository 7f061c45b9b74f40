import type { AreaContext } from '../../db/context.ts'
import { ModelFailure } from '../../ai/model.ts'
import { normalizeSpeakerName } from '../../language/people.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { RecapEvent } from '../../meetings/record/announce-events.ts'
import { requireMeeting, type EventRow } from '../../meetings/record/meeting-store.ts'
import { readTranscript } from '../../meetings/transcript/read-transcript.ts'
import { calculateSegmentOffsetMs } from '../../meetings/transcript/source.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'
import { createModelRecap } from '../model/model-recap.ts'
import { UnusableRecapAnswer } from '../model/recap-answer.ts'
import type { RecapModel } from '../model/recap-model.ts'
import { writeRecapIntoDocument } from '../recap-document.ts'
import type { RecapSegment, RecapSource } from '../recap.ts'
import { readActionItemsOfMeeting } from '../store/action-items.ts'
import { announceRecapChanges } from '../store/announce-changes.ts'
import type { RecapLease } from '../store/recap-claims.ts'
import type { RecapStep } from '../store/recap-row.ts'
import { readMeetingTemplate } from '../store/project-templates.ts'
import {
  findStoredRecap,
  finishRecap,
  saveRecap,
  skipRecapStep,
  type StoredRecap,
} from '../store/stored-recap.ts'
import { applySections } from '../template.ts'
import type { RulesRecapMaker } from './rules-thread.ts'

export type RecapStepParts = AreaContext & {
  files: DocumentFiles
  timeZone: string
  /** Where people open the console. */
  publicUrl: string
  /** The tag of the language that models write in. Null for the language of the meeting. */
  recapLanguage: string | null
  makeRulesRecap: RulesRecapMaker
  /** Null if recaps are made by rules only. */
  model: RecapModel | null
  /** Updates the index after a document was written. */
  documentChanged(documentPath: string): Promise<void>
  /** Runs in the transaction that stores a finished recap. */
  onRecapReady(tx: Tx, meetingId: string): Promise<void>
  /** Passes stored events to callbacks and event streams. */
  publishEvents(meetingId: string, events: readonly EventRow[]): void
}

/** The next step, or `released` if the recap was released. */
export type StepResult = RecapStep | 'released'

type StepDefinition = {
  run(lease: RecapLease, signal: AbortSignal): Promise<StepResult>
  /** True if the error's message is written for people, so that no stack trace is logged. */
  isExpected(error: unknown): boolean
  /** True if the step may succeed later. */
  isRetried(error: unknown): boolean
  /** Called after the step's last failure. Continues without it. */
  giveUp(lease: RecapLease, error: unknown): Promise<StepResult>
}

const UNEXPECTED_ERROR_TEXT = 'An unexpected error; see the log of the service'
const [ALWAYS, NEVER] = [() => true, () => false]

/** Counts at most this much time per segment, because captions do not say when a speaker stopped. */
const MAX_SEGMENT_MS = 30_000

/** The steps that make a recap. Each stores its result and the next step in one transaction. */
export function createRecapSteps(
  parts: RecapStepParts,
): Record<Exclude<RecapStep, 'done'>, StepDefinition> {
  return {
    rules: createRulesStep(parts),
    model: createModelStep(parts),
    document: createDocumentStep(parts),
  }
}

/** Stores what follows from a finished recap in the transaction of `save`, and publishes its event after the commit. */
async function announceAfter(
  { clock, publicUrl, onRecapReady, publishEvents }: RecapStepParts,
  { meetingId }: RecapLease,
  save: (storeEvent: (tx: Tx) => Promise<void>) => Promise<void>,
): Promise<void> {
  let events: EventRow[] = []
  await save(async (tx) => {
    const at = clock.now()
    events = await announceRecapChanges(tx, meetingId, { at, publicUrl }, async (_, recap) => [
      await createRecapReadyEvent(tx, recap, at),
    ])
    await onRecapReady(tx, meetingId)
  })
  if (events.length > 0) publishEvents(meetingId, events)
}

function createRulesStep(parts: RecapStepParts): StepDefinition {
  const { db, clock, timeZone, model } = parts
  return {
    async run(lease, signal) {
      const source = await readRecapSource(db, lease.meetingId, timeZone)
      const meeting = await requireMeeting(db, lease.meetingId)
      const template = await readMeetingTemplate(db, meeting, parts.recapLanguage)
      const recap = applySections(await parts.makeRulesRecap(source, signal), template)
      const origin = { model: null, droppedStatements: 0, at: clock.now() }
      if (model === null) {
        await announceAfter(parts, lease, (storeEvent) =>
          saveRecap(db, lease, recap, { ...origin, nextStep: 'document' }, storeEvent),
        )
        return 'document'
      }
      await saveRecap(db, lease, recap, { ...origin, nextStep: 'model' })
      return 'model'
    },
    isExpected: NEVER,
    isRetried: ALWAYS,
    async giveUp(lease) {
      const stored = await findStoredRecap(db, lease.meetingId)
      // An earlier recap stays. A person may have changed one of its action items in the meantime.
      const nextStep = stored === null || stored.content === null ? 'done' : 'document'
      const at = clock.now()
      await skipRecapStep(db, lease, { nextStep, error: UNEXPECTED_ERROR_TEXT, at })
      return nextStep
    },
  }
}

/** Model errors whose message is written for people. */
const MODEL_ERRORS = [ModelFailure, UnusableRecapAnswer]

function createModelStep(parts: RecapStepParts): StepDefinition {
  const { db, clock, timeZone, model } = parts
  const isExpected = (error: unknown) => MODEL_ERRORS.some((type) => error instanceof type)
  const skip = async (lease: RecapLease, error: string) => {
    const outcome = { nextStep: 'document', error, at: clock.now() } as const
    await announceAfter(parts, lease, (storeEvent) => skipRecapStep(db, lease, outcome, storeEvent))
    return outcome.nextStep
  }
  return {
    async run(lease, signal) {
      const { meetingId } = lease
      if (model === null) return skip(lease, 'No language model is configured any more')
      const source = await readRecapSource(db, meetingId, timeZone)
      const stored = await findStoredRecap(db, meetingId)
      const language = stored?.content?.language ?? null
      const meeting = await requireMeeting(db, meetingId)
      const template = await readMeetingTemplate(db, meeting, parts.recapLanguage)
      const { recap, droppedStatements, languageProblem } = await createModelRecap({
        model,
        meetingId,
        source,
        language,
        template,
        signal,
      })
      const origin = {
        model: model.name,
        droppedStatements,
        problem: languageProblem,
        at: clock.now(),
      }
      await announceAfter(parts, lease, (storeEvent) =>
        saveRecap(db, lease, recap, { ...origin, nextStep: 'document' }, storeEvent),
      )
      return 'document'
    },
    isExpected,
    isRetried: (error) =>
      !isExpected(error) || (error instanceof ModelFailure && error.isTransient),
    giveUp: (lease, error) =>
      skip(lease, isExpected(error) ? (error as Error).message : UNEXPECTED_ERROR_TEXT),
  }
}

function createDocumentStep(parts: RecapStepParts): StepDefinition {
  const { db } = parts
  return {
    async run(lease) {
      const { documentPath, startedAt } = await requireMeeting(db, lease.meetingId)
      const stored = await findStoredRecap(db, lease.meetingId)
      if (stored === null) return 'released'
      const { version } = stored
      if (documentPath === null) {
        return finishRecap(db, lease, { version, documentState: 'none' })
      }
      const { outcome, changedPath } = await writeRecapIntoDocument(parts, lease, stored, startedAt)
      // If a node died between the write and this update, the watcher and the scan of the index notice the change.
      if (changedPath !== null) await parts.documentChanged(changedPath)
      return finishRecap(db, lease, { version, documentState: outcome })
    },
    isExpected: NEVER,
    isRetried: ALWAYS,
    async giveUp(lease) {
      const stored = await findStoredRecap(db, lease.meetingId)
      if (stored === null) return 'released'
      return finishRecap(db, lease, { version: stored.version, documentState: 'failed' })
    },
  }
}

async function createRecapReadyEvent(
  tx: Tx,
  { meetingId, version, method, model, error, content }: StoredRecap,
  at: Date,
): Promise<RecapEvent> {
  const actions = await readActionItemsOfMeeting(tx, meetingId)
  return {
    type: 'recap_ready',
    payload: {
      version,
      method: method ?? 'rules',
      model,
      error,
      summary: (content?.summary ?? []).map(({ text }) => text),
      decisionCount: content?.decisions.length ?? 0,
      actionCount: actions.length,
      openQuestionCount: content?.openQuestions.length ?? 0,
      timestamp: at.toISOString(),
    },
  }
}

/** Reads an ended meeting for the rules and the model. Throws `meeting_not_found` if it was removed. */
export async function readRecapSource(
  db: Db,
  meetingId: string,
  timeZone: string,
): Promise<RecapSource> {
  const { meeting, source } = await readTranscript(db, meetingId)
  const starts = source.segments.map((segment) =>
    calculateSegmentOffsetMs(segment, source.startedAt),
  )
  const meetingEndMs =
    source.endedAt === null ? Infinity : source.endedAt.getTime() - source.startedAt.getTime()
  const segments = source.segments.map(({ number, speaker, text }, i): RecapSegment => {
    const startMs = starts[i] ?? 0
    const nextStartMs = starts[i + 1] ?? meetingEndMs
    const endMs = Math.min(Math.max(nextStartMs, startMs), startMs + MAX_SEGMENT_MS)
    return { number, speaker: normalizeSpeakerName(speaker), text, startMs, endMs }
  })
  const { startedAt } = source
  const participants = source.participants.map(normalizeSpeakerName).filter((name) => name !== '')
  const languageHint = meeting.options.language
  return { startedAt, timeZone, languageHint, participants, segments }
}
