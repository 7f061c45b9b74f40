import { runUntilDeadlineOrAbort } from '../../../lib/async/abort.ts'
import { errorMessageOf } from '../../../lib/error-code.ts'
import { describeNetworkFault } from '../../browser/network/reachability/network-faults.ts'
import type { PageStateName } from '../page-model/page-states.ts'
import type { PlatformEvent } from '../platform.ts'
import { createPromptAnswerer } from './answer-prompts.ts'
import { collectPageEvidence } from './evidence.ts'
import { classifyPageError, SessionStepError, type PageFailureReason } from './page-errors.ts'
import { isErrorCausedByPage, type PageSession, type SessionEnd } from './page-session.ts'
import { MAX_PAGE_OPEN_TRIES, MAX_PAGE_RELOADS } from './timeouts.ts'

/** The platform event for each state before the call. */
const EVENT_BY_STATE: Readonly<Partial<Record<PageStateName | 'unknown', PlatformEvent>>> = {
  prejoin: { kind: 'way in' },
  'account in call': { kind: 'way in' },
  'not started': { kind: 'not started' },
  lobby: { kind: 'lobby' },
}
const CHECK_INTERVAL_MS = 1_000
/** An action is repeated on the same page only after this time. */
const MIN_STEP_INTERVAL_MS = 1_000
/** The bot stops acting after this many join actions, because the page will not get further. */
const MAX_STEPS = 30

/** Opens the meeting page and joins the call; null when the bot is in the call. */
export async function joinCall(session: PageSession): Promise<SessionEnd | null> {
  const { pageState, emit, timeouts, now } = session
  const failure = await openMeetingPage(session)
  if (failure !== null) return failure
  const step = createJoinStepper(session)
  /** The page has made no progress since then, and has not waited for a participant. */
  let stuckSince = now()
  let phase = pageState.phase()
  let announced: PlatformEvent | undefined
  let waitingSince: number | null = null
  let hasLobbyEvidence = false
  for (;;) {
    const interruption = session.interruption()
    if (interruption !== null) return interruption
    const { state, because } = pageState.steady()
    if (because !== null) return { kind: 'over', because }
    if (state === 'in call') return null
    const event = EVENT_BY_STATE[state]
    if (event !== undefined && event !== announced) {
      announced = event
      waitingSince = event.kind === 'way in' ? null : now()
      emit(event)
    }
    // A prompt over the lobby does not end the wait, even if the page ignores the answer.
    const isWaiting =
      state === 'lobby' ||
      state === 'not started' ||
      (state === 'question' && pageState.hasShown('lobby'))
    if (isWaiting || pageState.phase() !== phase) stuckSince = now()
    phase = pageState.phase()
    const limitMs = phase === 'arriving' ? timeouts.arriveMs : timeouts.enterMs
    if (now() - stuckSince >= limitMs) return stuckEnd(session)
    const waitedMs = waitingSince === null ? 0 : now() - waitingSince
    if (session.wasAdmittedInVisit && waitedMs >= timeouts.readmitMs) {
      const detail = 'No participant admitted the bot again after its page had failed'
      return { kind: 'over', because: 'no_answer', detail }
    }
    // The service limits the first wait for admission, and then stops this session without warning. So the evidence is
    // collected before that.
    if (!hasLobbyEvidence && waitingSince !== null && waitedMs >= timeouts.lobbyEvidenceMs) {
      hasLobbyEvidence = true
      emit({ kind: 'evidence', evidence: await collectPageEvidence(session) })
    }
    await step()
    await session.wait(CHECK_INTERVAL_MS)
  }
}

function stuckEnd({ pageState, platform }: PageSession): SessionEnd {
  if (pageState.phase() === 'arriving') return { kind: 'over', because: 'page_not_loaded' }
  const detail = `The ${platform.title} page did not continue after the request to join`
  return { kind: 'over', because: 'page_not_loaded', detail }
}

/** Performs the platform's action for the current state of the page. */
function createJoinStepper(session: PageSession): () => Promise<void> {
  const { platform, joinRequest, pageState, pageActions, timeouts, now, slot } = session
  let last: { state: string; at: number } | null = null
  let loadingSince: number | null = null
  let reloads = 0
  let steps = 0
  const isRejoin = session.wasAdmittedBefore
  const { prompts } = session.pageModel
  const answerBlockingPrompts = createPromptAnswerer(
    session,
    prompts.filter(({ isBlocking }) => isBlocking),
  )
  const answerOtherPrompts = createPromptAnswerer(
    session,
    prompts.filter(({ isBlocking }) => !isBlocking),
  )

  async function reload(): Promise<void> {
    loadingSince = null
    reloads += 1
    const options = { waitUntil: 'commit', timeout: timeouts.openMs } as const
    await session.tryOnPage('reload page', async () => (await slot.page.reload(options)) !== null)
  }
  return async () => {
    const { state } = pageState.latest()
    loadingSince = state === 'loading' ? (loadingSince ?? now()) : null
    const isStuck = loadingSince !== null && now() - loadingSince >= timeouts.loadingMs
    if (isStuck && reloads < MAX_PAGE_RELOADS) return reload()
    // The page may hide the call's buttons while the pointer rests.
    if (pageState.phase() === 'knocking') await session.movePointer()
    if (state === 'question') return answerBlockingPrompts()
    if (state === 'lobby') await answerOtherPrompts()
    const act = state === 'unknown' ? undefined : platform.joinSteps[state]
    if (act === undefined || steps >= MAX_STEPS) return
    if (last?.state === state && now() - last.at < MIN_STEP_INTERVAL_MS) return
    const hasActed = await session.tryOnPage(`join step ${state}`, async () => {
      const outcome = await act(pageActions, { ...joinRequest, isRejoin })
      if (outcome === 'knocked') pageState.setContext({ phase: 'knocking' }, now())
      return outcome !== 'nothing'
    })
    if (hasActed) steps += 1
    last = { state, at: now() }
  }
}

/** Opens the meeting page; null if it is open. Retries, because the network may fail for a short time. */
async function openMeetingPage(session: PageSession): Promise<SessionEnd | null> {
  const { platform, joinRequest, timeouts, emit, signal } = session
  const resolved = await runUntilDeadlineOrAbort(timeouts.arriveMs, signal, () =>
    platform.resolveJoinUrl(joinRequest),
  )
  // If the page were opened after the bot was asked to leave, it would have to load before the bot can leave.
  const early = session.interruption()
  if (early !== null) return early
  if (resolved.ended !== 'done') return { kind: 'over', because: 'page_not_loaded' }
  const { url, unidentified } = resolved.value
  if (unidentified !== undefined) emit({ kind: 'unidentified', detail: unidentified })
  for (let tries = 1; ; tries += 1) {
    const why = await navigate(session, url, timeouts.openMs)
    const interruption = session.interruption()
    if (interruption !== null || why === null) return interruption
    if (tries === MAX_PAGE_OPEN_TRIES) {
      const detail =
        (await explainUnreachablePage(session, url)) ??
        `Hansard couldn’t open the ${platform.title} meeting page: ${why}`
      return session.interruption() ?? { kind: 'over', because: 'page_not_loaded', detail }
    }
    const until = session.now() + timeouts.reopenMs
    while (session.now() < until && session.interruption() === null) {
      await session.wait(until - session.now())
    }
  }
}

/**
 * What is wrong with the network and what to do, in the words of `hansard doctor`; null if the site answers now. The
 * browser itself knows only that its proxy could not connect.
 */
async function explainUnreachablePage(
  { probeSite, platform, signal, slot }: PageSession,
  url: string,
): Promise<string | null> {
  const result = await probeSite?.(
    new URL(url).hostname,
    AbortSignal.any([signal, slot.lostSignal]),
  )
  if (result === undefined || result.ok) return null
  const { what, fix } = describeNetworkFault(result.fault, platform.title)
  return `${what}. ${fix}`
}

/** Null if the page is open, otherwise the reason: Chromium's error name or a short text. */
async function navigate(
  { slot, signal, reportError }: PageSession,
  url: string,
  timeout: number,
): Promise<string | null> {
  const stop = () => {
    slot.page.close().catch((error: unknown) => {
      if (!isErrorCausedByPage(error, slot)) reportError('close page', error)
    })
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    await slot.page.goto(url, { waitUntil: 'commit', timeout })
    return null
  } catch (error) {
    if (!isErrorCausedByPage(error, slot)) throw new SessionStepError('open meeting page', error)
    const message = errorMessageOf(error)
    const name = /net::(ERR_[A-Z_]+)/.exec(message)?.[1]
    // Some pages redirect immediately, which ends the first load but not the session.
    if (name === 'ERR_ABORTED' || /interrupted by another navigation/.test(message)) return null
    return name ?? describeFailure(classifyPageError(error))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function describeFailure(failure: PageFailureReason | null): string {
  return failure === 'timeout' ? 'it did not answer in time' : 'the page was closed'
}
