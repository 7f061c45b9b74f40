import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { createSegmenter } from '../../src/meetings/captions/segmenter.ts'
import type {
  FailureEvidence,
  Platform,
  PlatformName,
  PlatformEvent,
  JoinRequest,
} from '../../src/bots/platforms/platform.ts'
import type { AttendOptions } from '../../src/bots/platforms/page-session/attend-page.ts'
import type { PageModel } from '../../src/bots/platforms/page-model/page-states.ts'
import type { TrafficFilter } from '../../src/bots/platforms/bridge/build-scripts.ts'
import { createLog } from '../../src/log.ts'
import type { SessionTimeouts } from '../../src/bots/platforms/page-session/timeouts.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import type { PageAction } from '../../stage/meeting/page-protocol.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { CAST, type StageBrowser } from '../stage/stage-browser.ts'
import { isDoneWithin } from '../../src/lib/async/abort.ts'
import { preventUnhandledRejection } from '../../src/lib/async/await-later.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  createSingleBrowserPool,
  type SingleBrowserPool,
} from '../support/browser/single-browser-pool.ts'

/** What the test cases need to know about a platform. */
export type PlatformProfile = {
  title: string
  name: PlatformName
  create(parts: AttendOptions): Platform
  address(): string
  pageModel: PageModel
  trafficFilter: TrafficFilter
  /** Passes the page that offers an app instead of the browser. */
  passLauncher?(page: Page): Promise<void>
  /** Asks to join from the page before the call. */
  askToJoin(page: Page): Promise<void>
  /** The state and end reason of the blocked screen. They differ between platforms. */
  blockedState: string
  /** Matches caption ids that come from the wire. */
  wireIdPattern: RegExp
  /** Data channels that the bot reads. */
  channels: readonly string[]
  /** CSS selector of a caption text in the page. */
  textCss: string
  /** A part that the earlier version of the page has under another selector. */
  driftingPart: string
  captionKeys: string
  /** Changes the caption language to en-us, as a participant would. */
  resetLanguage(run: StageRun): Promise<void>
}

export type StageSetup = { stageBrowser: StageBrowser; profile: PlatformProfile }

export type StageRun = {
  show: StagedMeeting
  pool: SingleBrowserPool
  events: PlatformEvent[]
  /** Waits for the nth event of that kind. */
  waitForEvent<Kind extends PlatformEvent['kind']>(
    kind: Kind,
    nth?: number,
  ): Promise<Extract<PlatformEvent, { kind: Kind }>>
  stop(): void
  /** Stops reading events without asking the bot to leave. */
  stopReading(): Promise<void>
  /** Resolves at the end of the visit with its end event. */
  finished: Promise<(PlatformEvent & { kind: 'over' }) | null>
  evidence(): FailureEvidence[]
  /** The text of each speaker after the segmenter, as in a transcript. */
  wordsBySpeaker(): Record<string, string>
  captionIds(): string[]
}

const LIMIT_MS = 90_000

/** Nothing on the stage takes long, so the timeouts are short. */
const SHORT_TIMEOUTS: Partial<SessionTimeouts> = {
  rejoinMs: 50,
  reopenMs: 50,
  leaveMs: 60_000,
  rosterMs: 1_000,
  languageMs: 300,
}

export type StageRunOptions = {
  knobs?: KnobSettings
  joinRequest?: Partial<JoinRequest>
  timeouts?: Partial<SessionTimeouts>
  parts?: Partial<AttendOptions>
  cast?: typeof CAST
  title?: string
}

export function startStageRun(
  { stageBrowser, profile }: StageSetup,
  options: StageRunOptions = {},
): StageRun {
  const url = profile.address()
  const show = stageBrowser.stage.open(url, {
    cast: options.cast ?? CAST,
    knobs: { speed: 10, ...options.knobs },
    ...(options.title !== undefined && { title: options.title }),
  })
  const { initScript } = stageBrowser.stage
  const pool = createSingleBrowserPool(
    stageBrowser.browser,
    options.knobs?.hasSound ? { initScript } : {},
  )
  const timeouts = { ...SHORT_TIMEOUTS, ...options.timeouts }
  const platform = profile.create({ pool, timeouts, log: createLog('silent'), ...options.parts })
  const link = platform.parseLink(url)
  if (link === null) throw new Error(`${url} is not a meeting link`)
  const joinRequest: JoinRequest = {
    link,
    displayName: 'Notes Bot',
    language: null,
    account: null,
    elapsedMs: 0,
    wasAdmittedBefore: false,
    ...options.joinRequest,
  }
  const stopping = new AbortController()
  const received: Array<{ event: PlatformEvent; at: number }> = []
  const events: PlatformEvent[] = []
  let known: { count: number; words: Record<string, string> } = { count: 0, words: {} }
  const attending = platform.attend(joinRequest, stopping.signal)[Symbol.asyncIterator]()
  const reader = { isActive: true }
  const readEvents = async () => {
    while (reader.isActive) {
      const { done, value: event } = await attending.next()
      if (done) break
      received.push({ event, at: performance.now() })
      events.push(event)
    }
    return events.findLast((event) => event.kind === 'over') ?? null
  }
  const finished = preventUnhandledRejection(readEvents())
  return {
    show,
    pool,
    events,
    finished,
    stop: () => stopping.abort(),
    async stopReading() {
      reader.isActive = false
      // A waiting generator notices only with the next event that its reader has stopped.
      show.join('chloe')
      await finished
      await attending.return?.()
    },
    async waitForEvent(kind, nth = 1) {
      type Found = Extract<PlatformEvent, { kind: typeof kind }>
      const isKind = (event: PlatformEvent): event is Found => event.kind === kind
      return waitFor(() => events.filter(isKind)[nth - 1] ?? null).catch(() =>
        assert.fail(`no event “${kind}”, but ${JSON.stringify(events)}`),
      )
    },
    evidence: () => events.flatMap((event) => (event.kind === 'evidence' ? [event.evidence] : [])),
    wordsBySpeaker() {
      // Called many times a second, so the text is computed again only after new events.
      if (known.count !== received.length)
        known = { count: received.length, words: segmentWords(received) }
      return known.words
    },
    captionIds: () => [
      ...new Set(events.flatMap((event) => (event.kind === 'caption' ? [event.captionId] : []))),
    ],
  }
}

function segmentWords(
  received: ReadonlyArray<{ event: PlatformEvent; at: number }>,
): Record<string, string> {
  const segmenter = createSegmenter({ selfNames: ['Notes Bot'] })
  const words: Record<string, string> = {}
  const addSegments = ({ segments }: ReturnType<typeof segmenter.tick>) => {
    for (const { speaker, text } of segments) {
      words[speaker] = `${words[speaker] ?? ''} ${text}`.trim()
    }
  }
  let last = 0
  for (const { event, at } of received) {
    last = at
    addSegments(segmenter.tick(at))
    if (event.kind === 'caption') addSegments(segmenter.addCaption(event, at))
    // Does the same as the bot.
    if (event.kind === 'page stalled') segmenter.hold(at, 15_000)
    if (event.kind === 'page resumed') segmenter.hold(at, 1_000)
  }
  addSegments(segmenter.flush(last))
  return words
}

/** The time limit only ends a test that would otherwise hang. */
export function waitFor<T>(ask: () => Promise<T | null> | T | null): Promise<T> {
  return eventually(ask, LIMIT_MS)
}

/** Waits until the transcript has this text of the speaker. */
export async function waitForWords(run: StageRun, speaker: string, text: string): Promise<void> {
  const words = () => run.wordsBySpeaker()[speaker]
  await waitFor(() => (words() === text ? true : null)).catch(() => assert.equal(words(), text))
}

/** Waits until the bot asks to join, admits it, and waits until its captions are on. */
export async function admitBot(run: StageRun): Promise<void> {
  await waitForAction(run, 'knocked')
  run.show.join('ana', 'ben')
  run.show.admit()
  await run.waitForEvent('admitted')
  await waitForAction(run, 'captions on')
}

/** Waits for an action of the bot. If the visit ends first, the test fails and says why the visit ended. */
export async function waitForAction(run: StageRun, action: PageAction): Promise<void> {
  const ended = run.finished.then((over) =>
    assert.fail(`the visit ended before “${action}”: ${JSON.stringify(over)}`),
  )
  await Promise.race([awaitAction(run, action), ended])
}

/** The time limit only ends a test that would otherwise hang, and says what the bot did instead. */
async function awaitAction({ show, events, pool }: StageRun, action: PageAction): Promise<void> {
  if (await isDoneWithin(show.waitFor(action), LIMIT_MS)) return
  const [bot] = show.pages.all
  const url = pool.inUse()[0]?.page.url() ?? 'no page'
  const seen = JSON.stringify(events, (key, value) => (key === 'screenshot' ? undefined : value))
  assert.fail(`no “${action}” on ${url}, but ${[...(bot?.actions ?? [])].join(', ')} and ${seen}`)
}

/** Asks the bot to leave. It must leave the call before its page closes, without an end event. */
export async function leaveCall(run: StageRun): Promise<void> {
  const leaving = awaitAction(run, 'left')
  run.stop()
  await leaving
  assert.equal(await run.finished, null)
  assert.equal(run.pool.inUse().length, 0)
}
