import { OperatorError } from '../../../lib/operator-error.ts'
import { systemTimers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { findBrowser, readBrowserVersion } from '../../browser/launch/find-browser.ts'
import { openBrowserPool, type BrowserPoolOptions } from '../../browser/pool/browser-pool.ts'
import type { BrowserPool } from '../../browser/pool/browser-slot.ts'
import { createChatOutbox } from '../../platforms/chat.ts'
import type { PageModelsLoader } from '../../platforms/page-model/selectors-file.ts'
import type { LoadBotAccountBrowserState } from '../../platforms/page-session/attend-page.ts'
import type { SessionTimeouts } from '../../platforms/page-session/timeouts.ts'
import { PLATFORM_INFO, type PagePlatformName } from '../../platforms/platform-info.ts'
import { PLATFORM_NAMES, type PlatformEvent } from '../../platforms/platform.ts'
import { PLATFORM_DEFINITIONS, createPlatformPageModelLoader } from '../../platforms/registry.ts'
import type { RehearsalCheckResult } from '../evaluate.ts'
import { createTextBlanker } from './blank-text.ts'
import {
  evaluateVisit,
  createPlatformReport,
  type PlatformReport,
  type VisitResult,
} from './platform-report.ts'
import { createVisitInspector } from './visit-inspector.ts'

export type AgainstOptions = {
  /** The link of a real meeting. */
  url: string
  /** The name of a bot account; null to join as a guest. */
  account: string | null
  botName: string
  /** How long the bot waits to be admitted, and how long it stays after that. */
  admissionMs: number
  stayMs: number
  /** Makes the bot leave early. */
  leaveSignal?: AbortSignal
  onEvent?(event: PlatformEvent): void
  timeouts?: Partial<SessionTimeouts>
  pool: BrowserPool
  pageModels: PageModelsLoader<PagePlatformName>
  openAccount?: LoadBotAccountBrowserState
  log: Log
  facts: { hansard: string; browser: string; createdAt: string }
}

type OwnBrowserOptions = Omit<AgainstOptions, 'pool' | 'pageModels' | 'facts'> &
  Pick<BrowserPoolOptions, 'settings' | 'host' | 'cache'> & {
    selectorsFile: string | undefined
    facts: Omit<AgainstOptions['facts'], 'browser'>
  }

const PAGE_PLATFORMS = PLATFORM_NAMES.filter(
  (name): name is PagePlatformName => PLATFORM_INFO[name].meetsInPage,
)

/**
 * Joins a real meeting, reads it for a while and leaves. Returns the result of each step, and a report without names
 * and words for the people who fix the bot.
 */
export async function rehearseAgainst(
  options: AgainstOptions,
): Promise<{ steps: RehearsalCheckResult[]; report: PlatformReport }> {
  const startedAt = performance.now()
  const inspector = createVisitInspector(() => Math.round(performance.now() - startedAt))
  const { name, platform, link } = findPlatform(options, inspector)
  const result = createEmptyResult()
  const { names } = inspector.inspection
  names.add(options.botName)
  const stop = new AbortController()
  const signal = AbortSignal.any([
    stop.signal,
    ...(options.leaveSignal ? [options.leaveSignal] : []),
  ])
  let cancel = systemTimers.after(options.admissionMs, () => stop.abort())
  const joinRequest = {
    link,
    displayName: options.botName,
    language: null,
    account: options.account,
    elapsedMs: 0,
    wasAdmittedBefore: false,
    // Reads the chat, so that the report shows whether that works, but writes nothing.
    chat: { outbox: createChatOutbox(), isRead: true },
  }
  try {
    for await (const event of platform.attend(joinRequest, signal)) {
      recordEvent(result, names, event, Math.round(performance.now() - startedAt))
      options.onEvent?.(event)
      if (event.kind !== 'admitted') continue
      cancel()
      cancel = systemTimers.after(options.stayMs, () => stop.abort())
    }
  } finally {
    cancel()
  }
  await inspector.settle()
  const pageModel = await options.pageModels.modelFor(name)
  const models = Object.values(PLATFORM_DEFINITIONS).flatMap((row) => row.pageModel ?? [])
  const blanker = createTextBlanker([pageModel, ...models])
  for (const shown of names) blanker.addName(shown)
  const steps = evaluateVisit(result, inspector.inspection)
  const facts = { ...options.facts, platform: name, isSignedIn: options.account !== null }
  const report = createPlatformReport(
    facts,
    steps,
    result,
    inspector.inspection,
    pageModel,
    blanker,
  )
  return { steps, report }
}

function findPlatform(
  { url, pool, pageModels, openAccount, timeouts, log }: AgainstOptions,
  inspector: ReturnType<typeof createVisitInspector>,
) {
  const given = { ...(openAccount && { openAccount }), ...(timeouts && { timeouts }) }
  for (const name of PAGE_PLATFORMS) {
    const parts = { pool, pageModels, log, inspector, ...given }
    const platform = PLATFORM_DEFINITIONS[name].create(parts)
    const link = platform.parseLink(url)
    if (link !== null) return { name, platform, link }
  }
  throw new OperatorError(
    `This is not a link of a ${PAGE_PLATFORMS.map((name) => PLATFORM_INFO[name].title).join(' or ')} meeting`,
    'Copy the whole link of a meeting of your own',
  )
}

function createEmptyResult(): VisitResult & { captionIds: Set<string>; people: Set<string> } {
  const counts = { captions: 0, participants: 0, chatMessages: 0 }
  return { events: [], drifts: [], end: null, ...counts, captionIds: new Set(), people: new Set() }
}

/** Counts what a platform event contains. Captions come many times a second, so only the first one is listed. */
function recordEvent(
  result: ReturnType<typeof createEmptyResult>,
  names: Set<string>,
  event: PlatformEvent,
  atMs: number,
): void {
  const { kind } = event
  if (kind !== 'caption' || result.captions === 0) result.events.push({ atMs, kind })
  if (event.kind === 'caption') {
    result.captionIds.add(event.captionId)
    result.captions = result.captionIds.size
    names.add(event.speaker)
  } else if (event.kind === 'people') {
    for (const { name } of event.people) result.people.add(name)
    for (const { name } of event.people) names.add(name)
    result.participants = result.people.size
  } else if (event.kind === 'chat') {
    result.chatMessages += event.messages.length
    for (const { author } of event.messages) names.add(author)
  } else if (event.kind === 'drift') result.drifts.push(...event.drifts)
  else if (event.kind === 'over') result.end = event.because
}

/** Rehearses against a real meeting with the browser that the settings choose. */
export async function rehearseWithOwnBrowser({
  settings,
  host,
  cache,
  selectorsFile,
  facts,
  ...options
}: OwnBrowserOptions): ReturnType<typeof rehearseAgainst> {
  const { log } = options
  const found = await findBrowser(settings, host)
  const browser = found === null ? 'none found' : await readBrowserVersion(found, cache, host)
  await using pool = await openBrowserPool({ settings, host, cache, log })
  return await rehearseAgainst({
    ...options,
    pool,
    pageModels: createPlatformPageModelLoader(selectorsFile, log),
    facts: { ...facts, browser },
  })
}
