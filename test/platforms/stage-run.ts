import { createSegmenter } from '../../src/meetings/captions/segmenter.ts'
import type {
  Evidence,
  Platform,
  PlatformName,
  PlatformEvent,
  JoinRequest,
} from '../../src/bots/platforms/platform.ts'
import type { AttendOptions } from '../../src/bots/platforms/page-session/attend-page.ts'
import { createLog } from '../../src/log.ts'
import type { SessionTimeouts } from '../../src/bots/platforms/page-session/timeouts.ts'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { CAST, openStageBrowser, type StageBrowser } from '../stage/stage-browser.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  createSingleBrowserPool,
  type SingleBrowserPool,
} from '../support/browser/single-browser-pool.ts'

/** A platform as the suite sees it. */
export type PlatformProfile = {
  title: string
  name: PlatformName
  create(parts: AttendOptions): Platform
  address(): string
  /** Ends that the stage words differently for this platform. */
  blockedReason: string
  /** Ids of the wire, by a part of them. */
  wireIdPattern: RegExp
  /** Data channels that we listen to. */
  channels: readonly string[]
  /** The text of a caption in the page. */
  textCss: string
  /** The part of an earlier page that is found in another way. */
  driftingPart: string
  /** Keys that turn captions off. */
  captionKeys: string
  /** Somebody sets the language of captions to en-us. */
  resetLanguage(rehearsal: StageRun): Promise<void>
}

export type StageSetup = AsyncDisposable & { stageBrowser: StageBrowser; profile: PlatformProfile }

/** One stage and one browser for everything that is rehearsed. */
export async function openStageSetup(profile: PlatformProfile): Promise<StageSetup> {
  const house = await openStageBrowser()
  return { stageBrowser: house, profile, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() }
}

export type StageRun = {
  show: StagedMeeting
  pool: SingleBrowserPool
  events: PlatformEvent[]
  /** Waits for a sighting of that kind. */
  waitForEvent<Kind extends PlatformEvent['kind']>(
    kind: Kind,
    nth?: number,
  ): Promise<Extract<PlatformEvent, { kind: Kind }>>
  /** Asks the bot to go. */
  stop(): void
  /** Stops listening without asking. */
  stopReading(): Promise<void>
  /** Resolves when the visit is over, with how it ended. */
  finished: Promise<(PlatformEvent & { kind: 'over' }) | null>
  evidence(): Evidence[]
  /** What everybody said, through the segmenter, as a transcript has it. */
  wordsBySpeaker(): Record<string, string>
  captionIds(): string[]
}

/** Nothing on the stage takes long. */
const SHORT_TIMEOUTS: Partial<SessionTimeouts> = {
  rejoinMs: 50,
  reopenMs: 50,
  leaveMs: 60_000,
  rosterMs: 1_000,
  languageMs: 300,
}

export function startStageRun(
  { stageBrowser, profile }: StageSetup,
  options: {
    knobs?: KnobSettings
    joinRequest?: Partial<JoinRequest>
    timeouts?: Partial<SessionTimeouts>
    parts?: Partial<AttendOptions>
    cast?: typeof CAST
    title?: string
  } = {},
): StageRun {
  const url = profile.address()
  const show = stageBrowser.stage.open(url, {
    cast: options.cast ?? CAST,
    knobs: { speed: 10, ...options.knobs },
    ...(options.title !== undefined && { title: options.title }),
  })
  const pool = createSingleBrowserPool(stageBrowser.browser)
  const timeouts = { ...SHORT_TIMEOUTS, ...options.timeouts }
  const platform = profile.create({ pool, timeouts, log: createLog('silent'), ...options.parts })
  const address = platform.parseLink(url)
  if (address === null) throw new Error(`${url} is no address`)
  const joinRequest: JoinRequest = {
    link: address,
    displayName: 'Notes Bot',
    language: null,
    account: null,
    elapsedMs: 0,
    ...options.joinRequest,
  }
  const stopping = new AbortController()
  const heard: Array<{ event: PlatformEvent; at: number }> = []
  const events: PlatformEvent[] = []
  let known: { count: number; words: Record<string, string> } = { count: 0, words: {} }
  const attending = platform.attend(joinRequest, stopping.signal)[Symbol.asyncIterator]()
  const ears = { areOpen: true }
  const listen = async () => {
    while (ears.areOpen) {
      const { done, value: event } = await attending.next()
      if (done) break
      heard.push({ event, at: performance.now() })
      events.push(event)
    }
    return events.findLast((event) => event.kind === 'over') ?? null
  }
  const over = listen()
  void Promise.allSettled([over])
  return {
    show,
    pool,
    events,
    finished: over,
    stop: () => stopping.abort(),
    async stopReading() {
      ears.areOpen = false
      // Something must be seen before a generator that waits can be told to end.
      show.join('chloe')
      await over
      await attending.return?.()
    },
    async waitForEvent(kind, nth = 1) {
      type Found = Extract<PlatformEvent, { kind: typeof kind }>
      const isKind = (event: PlatformEvent): event is Found => event.kind === kind
      return waitFor(() => events.filter(isKind)[nth - 1] ?? null)
    },
    evidence: () => events.flatMap((event) => (event.kind === 'evidence' ? [event.evidence] : [])),
    wordsBySpeaker() {
      // Asked many times a second, and made anew only when something was heard.
      if (known.count !== heard.length) known = { count: heard.length, words: segmentWords(heard) }
      return known.words
    },
    captionIds: () => [
      ...new Set(events.flatMap((event) => (event.kind === 'caption' ? [event.captionId] : []))),
    ],
  }
}

function segmentWords(
  heard: ReadonlyArray<{ event: PlatformEvent; at: number }>,
): Record<string, string> {
  const segmenter = createSegmenter({ selfNames: ['Notes Bot'] })
  const words: Record<string, string> = {}
  const keep = ({ segments }: ReturnType<typeof segmenter.tick>) => {
    for (const { speaker, text } of segments) {
      words[speaker] = `${words[speaker] ?? ''} ${text}`.trim()
    }
  }
  let last = 0
  for (const { event, at } of heard) {
    last = at
    keep(segmenter.tick(at))
    if (event.kind === 'caption') keep(segmenter.addCaption(event, at))
  }
  keep(segmenter.flush(last))
  return words
}

/** A machine with much else to do may take its time; nothing here is about time. */
export function waitFor<T>(ask: () => Promise<T | null> | T | null): Promise<T> {
  return eventually(ask, 90_000)
}

/** Lets the bot in and waits until it has captions on. */
export async function admitBot({ show, waitForEvent }: StageRun): Promise<void> {
  await show.until('knocked')
  show.join('ana', 'ben')
  show.admit()
  await waitForEvent('admitted')
  await show.until('captions on')
}
