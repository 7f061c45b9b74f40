import { describeStrategy, type FindStrategy } from '../../page-model/find-strategies.ts'
import type { PageStateDecision, PageModel } from '../../page-model/page-states.ts'
import type { SessionEnd, PageSession } from '../page-session.ts'

/** Runs repeatedly during the call and takes one small step each time. If it returns an end, the session ends. */
export type InCallTask = () => Promise<SessionEnd | null>

const MAX_TRIES = 5

/** A call page loads its parts gradually. A part that is still missing after this time will not appear. */
const CALL_BUILD_MS = 3_000

/** A part that its best strategy did not find. `foundBy` is null if no strategy found it. */
type PartDrift = { part: string; foundBy: FindStrategy | null }

/** The tasks that may run on the current page, in order. */
export function selectTasksToRun(
  { because, conditions }: Pick<PageStateDecision, 'because' | 'conditions'>,
  tasks: readonly InCallTask[],
  keepCaptionsOn: InCallTask,
): readonly InCallTask[] {
  // A page that shows an end is no longer the call.
  if (because !== null) return []
  // A page that reconnects restores its parts itself.
  return conditions.includes('reconnecting') ? [keepCaptionsOn] : tasks
}

/** Opens the participant list if the wire has no roster, and reads the bot's own id. */
export function createOpenParticipantListTask(session: PageSession): InCallTask {
  const { platform, captionReader, pageActions, timeouts, now } = session
  let triedAt = now()
  let tries = 0
  let isSelfKnown = platform.readOwnId === undefined

  return async () => {
    isSelfKnown ||= await trySetBotWireIdFromPage(session)
    if (
      captionReader.hasParticipants() ||
      tries >= MAX_TRIES ||
      now() - triedAt < timeouts.rosterMs
    )
      return null
    triedAt = now()
    tries += 1
    await session.tryOnPage('open participant list', () =>
      platform.openParticipantList(pageActions),
    )
    return null
  }
}

/** For platforms whose wire does not contain it, reads the bot's own wire id from the page. */
export function trySetBotWireIdFromPage({
  platform,
  pageActions,
  captionReader,
  now,
  tryOnPage,
}: PageSession): Promise<boolean> {
  return tryOnPage('read own id', async () => {
    const id = (await platform.readOwnId?.(pageActions)) ?? null
    if (id !== null) captionReader.setSelf(id, now())
    return id !== null
  })
}

/** Compares the parts of the call with the page model, once. */
export function createReportSelectorDriftTask(session: PageSession): InCallTask {
  const { pageModel, pageState, emit, now } = session
  const since = now()
  let isDone = false
  let tries = 0
  let movedAt: number | null = null
  return async () => {
    if (isDone || now() - since < CALL_BUILD_MS) return null
    if (movedAt === null) {
      // A hidden toolbar would look like a missing one. After the pointer has moved, the next observation shows it.
      const at = now()
      if (await session.movePointer()) movedAt = at
      return null
    }
    if (session.observedAt() <= movedAt) return null
    movedAt = null
    if (pageState.latest().state !== 'in call') return null
    const seen = pageState.observation()
    if (seen === null) return null
    const found = findPartDrifts(pageModel, seen.found, seen.language)
    tries += 1
    // On a busy machine, the toolbar may be hidden again, or still.
    if (tries < MAX_TRIES && found.some(({ foundBy }) => foundBy === null)) return null
    isDone = true
    const drifts = found.map(({ part, foundBy }) => ({
      part,
      foundBy: foundBy === null ? null : describeStrategy(foundBy),
    }))
    if (drifts.length > 0) emit({ kind: 'drift', drifts })
    return null
  }
}

/**
 * Compares a call with the page model: did the best strategy for the page's language find each part that every call
 * has? `found` has the position of the strategy that matched; null if none did.
 */
export function findPartDrifts(
  { parts, expectedInCall }: PageModel,
  found: Readonly<Record<string, number | null>>,
  language: string,
): PartDrift[] {
  return expectedInCall.flatMap((part) => {
    const strategies = parts[part]?.strategies ?? []
    const best = strategies.findIndex((strategy) => worksInLanguage(strategy, language))
    const position = found[part] ?? null
    if (position !== null && position === best) return []
    return [{ part, foundBy: position === null ? null : (strategies[position] ?? null) }]
  })
}

function worksInLanguage(strategy: FindStrategy, language: string): boolean {
  return strategy.language === undefined || language.split('-')[0] === strategy.language
}
