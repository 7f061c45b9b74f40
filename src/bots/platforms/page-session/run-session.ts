import { enableLowPower } from '../../browser/page/low-power.ts'
import { stopNetworkEvents } from '../../browser/playwright-internals.ts'
import type { PageStateName } from '../page-model/page-states.ts'
import { createDismissOverlaysTask } from './answer-prompts.ts'
import { describeEndReason, describeStateEnd } from './end-details.ts'
import { collectPageEvidence } from './evidence.ts'
import {
  selectTasksToRun,
  createOpenParticipantListTask,
  trySetBotWireIdFromPage,
  createReportSelectorDriftTask,
} from './in-call/in-call-tasks.ts'
import {
  createKeepCaptionLanguageTask,
  createKeepCaptionsOnTask,
} from './in-call/keep-captions-on.ts'
import { createUseChatTask } from './in-call/use-chat.ts'
import { joinCall } from './join-call.ts'
import { awaitPageAnswer, createInternalErrorEnd } from './page-errors.ts'
import {
  isErrorCausedByPage,
  openPageSession,
  createPageClosedEnd,
  type PageSession,
  type SessionEnd,
  type PageSessionOptions,
} from './page-session.ts'

/** During a call the page is observed less often, because captions are sent without polling. */
const POLL_INTERVAL_MS = 500
const CHECK_INTERVAL_MS = 500
/** Page states before a call. If one appears during a call, the page has been loaded again. */
const STATES_BEFORE_CALL: ReadonlySet<PageStateName | 'unknown'> = new Set([
  'prejoin',
  'launcher',
  'loading',
  'lobby',
  'question',
])
const OUTSIDE_CALL_MS = 5_000

/** When the bot was last seen in the call; null before it was admitted. */
type CallPresence = { seenAt: number | null }

/** Runs one session in one page, from opening the page to leaving the call. */
export async function runPageSessionWithoutRejoin(parts: PageSessionOptions): Promise<SessionEnd> {
  const session = await openPageSession(parts)
  const call: CallPresence = { seenAt: null }
  let end: SessionEnd
  try {
    end = await runUntilEnd(session, call)
  } finally {
    session.stallDetector.stop()
    session.finishLater(session.speech.finish())
  }
  session.captionReader.flush(session.now())
  if (end.kind === 'again' && call.seenAt !== null) {
    const sinceMs = Math.max(0, session.now() - call.seenAt)
    session.emit({ kind: 'call lost', detail: end.why, sinceMs })
  }
  if (end.kind === 'over') return endWithEvidence(session, end)
  if (end.kind === 'left') await leaveCall(session)
  return end
}

async function runUntilEnd(session: PageSession, call: CallPresence): Promise<SessionEnd> {
  const { slot, platform, signal } = session
  const { hiddenSelectors } = platform
  let step = 'enable low power'
  try {
    if (hiddenSelectors !== null)
      await session.tryOnPage(
        step,
        async () => (await enableLowPower(slot, { hiddenSelectors }), true),
      )
    step = 'join call'
    const failure = await joinCall(session)
    if (failure !== null) return failure
    step = 'attend call'
    return await attendCall(session, call)
  } catch (error) {
    if (isErrorCausedByPage(error, slot)) return session.interruption() ?? createPageClosedEnd()
    session.reportError(step, error)
    return signal.aborted ? { kind: 'left' } : createInternalErrorEnd()
  }
}

async function attendCall(session: PageSession, call: CallPresence): Promise<SessionEnd> {
  const { pageState, captionReader, chatMerger, emit, bridge, now } = session
  pageState.setContext({ phase: 'inside' }, now())
  // Without its own participant id, the bot would treat itself as a participant.
  await trySetBotWireIdFromPage(session)
  emit({ kind: 'admitted' })
  call.seenAt = now()
  captionReader.startEmitting()
  await session.speech.start()
  session.stallDetector.start()
  chatMerger.start(now())
  await session.tryOnPage(
    'set poll interval',
    async () => (await bridge.setPollInterval(POLL_INTERVAL_MS), true),
  )
  stopNetworkEvents(session.slot.page, (error) => {
    if (!isErrorCausedByPage(error, session.slot)) session.reportError('stop network events', error)
  })
  const keepCaptionsOn = createKeepCaptionsOnTask(session)
  const tasks = [
    createDismissOverlaysTask(session),
    keepCaptionsOn,
    createOpenParticipantListTask(session),
    createKeepCaptionLanguageTask(session),
    createReportSelectorDriftTask(session),
    createUseChatTask(session),
  ]
  let outsideSince: number | null = null
  for (;;) {
    const { state, because } = pageState.steady()
    const end =
      session.interruption() ?? (because === null ? null : { kind: 'over' as const, because })
    if (end !== null) return end
    outsideSince = STATES_BEFORE_CALL.has(state) ? (outsideSince ?? now()) : null
    const hasLeft = outsideSince !== null && now() - outsideSince >= OUTSIDE_CALL_MS
    if (state === 'away' || hasLeft) return { kind: 'again', why: 'The page left the meeting' }
    if (outsideSince === null) call.seenAt = Math.max(call.seenAt, session.observedAt())
    for (const runTask of selectTasksToRun(pageState.latest(), tasks, keepCaptionsOn)) {
      const taskEnd = await runTask()
      if (taskEnd !== null) return taskEnd
    }
    await session.wait(CHECK_INTERVAL_MS)
  }
}

/** Emits the evidence before the end, because events after the end are ignored. */
async function endWithEvidence(
  session: PageSession,
  end: SessionEnd & { kind: 'over' },
): Promise<SessionEnd> {
  const { emit, platform, captionReader, pageState, slot } = session
  // The page may change while the evidence is collected.
  const said =
    end.detail ??
    describeStateEnd(pageState.steady().state, platform.title) ??
    describeEndReason(end.because, platform.title)
  // If a browser could not open the meeting, its error page shows nothing that `detail` does not say.
  if (/^https?:/.test(slot.page.url()))
    emit({ kind: 'evidence', evidence: await collectPageEvidence(session) })
  const isRefused = end.because === 'denied' || end.because === 'blocked_by_platform'
  const note =
    isRefused && captionReader.isFlaggedAsBot()
      ? ' (the platform suspects an automated browser)'
      : ''
  return { ...end, detail: `${said}${note}` }
}

/** Leaves the call and waits until the page confirms it. */
async function leaveCall(session: PageSession): Promise<void> {
  const { platform, pageState, pageActions, timeouts, now, slot } = session
  const isInside = pageState.phase() === 'inside'
  pageState.setContext({ phase: 'leaving' }, now())
  const until = now() + timeouts.leaveMs
  const act = isInside ? platform.leave : platform.cancelJoin
  const report = (error: unknown) => session.reportError('leave call', error)
  const left = session.tryOnPage(
    'leave call',
    async () => (await pageActions.movePointer(), await act(pageActions)),
  )
  try {
    await awaitPageAnswer(timeouts.leaveMs, left, report)
  } catch (error) {
    // The bot also leaves when its page is closed, so the error is only logged.
    report(error)
  }
  while (now() < until && pageState.latest().state !== 'left' && !slot.lostSignal.aborted) {
    await session.wait(until - now())
  }
}
