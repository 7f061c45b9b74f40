import { createSegmenter } from '../../src/meetings/captions/segmenter.ts'
import type {
  Evidence,
  Platform,
  PlatformName,
  Sighting,
  Visit,
} from '../../src/platforms/platform.ts'
import type { AttendParts } from '../../src/platforms/visit/attend.ts'
import type { Patience } from '../../src/platforms/visit/patience.ts'
import type { KnobSettings } from '../../stage/show/knobs.ts'
import type { Show } from '../../stage/show/show.ts'
import { CAST, openHouse, type House } from '../stage/house.ts'
import { eventually } from '../support/eventually.ts'
import { createTestPool, type TestPool } from '../support/seats.ts'

/** A platform as the suite sees it. */
export type Profile = {
  title: string
  name: PlatformName
  create(parts: AttendParts): Platform
  address(): string
  /** Ends that the stage words differently for this platform. */
  blockedReason: string
  /** Ids of the wire, by a part of them. */
  wireId: RegExp
  /** Data channels that we listen to. */
  channels: readonly string[]
  /** The text of a caption in the page. */
  textCss: string
  /** The part of an earlier page that is found in another way. */
  driftsIn: string
  /** Keys that turn captions off. */
  captionKeys: string
  /** Somebody sets the language of captions to en-us. */
  resetLanguage(rehearsal: Rehearsal): Promise<void>
}

export type Company = AsyncDisposable & { house: House; profile: Profile }

/** One stage and one browser for everything that is rehearsed. */
export async function openCompany(profile: Profile): Promise<Company> {
  const house = await openHouse()
  return { house, profile, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() }
}

export type Rehearsal = {
  show: Show
  pool: TestPool
  sightings: Sighting[]
  /** Waits for a sighting of that kind. */
  sees<Kind extends Sighting['seen']>(
    kind: Kind,
    nth?: number,
  ): Promise<Extract<Sighting, { seen: Kind }>>
  /** Asks the bot to go. */
  stop(): void
  /** Stops listening without asking. */
  hangUp(): Promise<void>
  /** Resolves when the visit is over, with how it ended. */
  over: Promise<(Sighting & { seen: 'over' }) | null>
  evidence(): Evidence[]
  /** What everybody said, through the segmenter, as a transcript has it. */
  words(): Record<string, string>
  captionIds(): string[]
}

/** Nothing on the stage takes long. */
const BRIEF: Partial<Patience> = {
  rejoinMs: 50,
  reopenMs: 50,
  leaveMs: 60_000,
  rosterMs: 1_000,
  languageMs: 300,
}

export function rehearse(
  { house, profile }: Company,
  options: {
    knobs?: KnobSettings
    visit?: Partial<Visit>
    patience?: Partial<Patience>
    parts?: Partial<AttendParts>
    cast?: typeof CAST
    title?: string
  } = {},
): Rehearsal {
  const url = profile.address()
  const show = house.stage.open(url, {
    cast: options.cast ?? CAST,
    knobs: { speed: 10, ...options.knobs },
    ...(options.title !== undefined && { title: options.title }),
  })
  const pool = createTestPool(house.browser)
  const patience = { ...BRIEF, ...options.patience }
  const platform = profile.create({ pool, patience, ...options.parts })
  const address = platform.recognise(url)
  if (address === null) throw new Error(`${url} is no address`)
  const visit: Visit = {
    address,
    displayName: 'Notes Bot',
    language: null,
    account: null,
    elapsedMs: 0,
    ...options.visit,
  }
  const stopping = new AbortController()
  const heard: Array<{ sighting: Sighting; at: number }> = []
  const sightings: Sighting[] = []
  let known: { count: number; words: Record<string, string> } = { count: 0, words: {} }
  const attending = platform.attend(visit, stopping.signal)[Symbol.asyncIterator]()
  const ears = { areOpen: true }
  const listen = async () => {
    while (ears.areOpen) {
      const { done, value: sighting } = await attending.next()
      if (done) break
      heard.push({ sighting, at: performance.now() })
      sightings.push(sighting)
    }
    return sightings.findLast((sighting) => sighting.seen === 'over') ?? null
  }
  const over = listen()
  void Promise.allSettled([over])
  return {
    show,
    pool,
    sightings,
    over,
    stop: () => stopping.abort(),
    async hangUp() {
      ears.areOpen = false
      // Something must be seen before a generator that waits can be told to end.
      show.join('chloe')
      await over
      await attending.return?.()
    },
    async sees(kind, nth = 1) {
      type Found = Extract<Sighting, { seen: typeof kind }>
      const isKind = (sighting: Sighting): sighting is Found => sighting.seen === kind
      return soon(() => sightings.filter(isKind)[nth - 1] ?? null)
    },
    evidence: () =>
      sightings.flatMap((sighting) => (sighting.seen === 'evidence' ? [sighting.evidence] : [])),
    words() {
      // Asked many times a second, and made anew only when something was heard.
      if (known.count !== heard.length) known = { count: heard.length, words: wordsIn(heard) }
      return known.words
    },
    captionIds: () => [
      ...new Set(
        sightings.flatMap((sighting) => (sighting.seen === 'caption' ? [sighting.captionId] : [])),
      ),
    ],
  }
}

function wordsIn(heard: ReadonlyArray<{ sighting: Sighting; at: number }>): Record<string, string> {
  const segmenter = createSegmenter({ selfNames: ['Notes Bot'] })
  const words: Record<string, string> = {}
  const keep = ({ segments }: ReturnType<typeof segmenter.tick>) => {
    for (const { speaker, text } of segments) {
      words[speaker] = `${words[speaker] ?? ''} ${text}`.trim()
    }
  }
  let last = 0
  for (const { sighting, at } of heard) {
    last = at
    keep(segmenter.tick(at))
    if (sighting.seen === 'caption') keep(segmenter.see(sighting, at))
  }
  keep(segmenter.flush(last))
  return words
}

/** A machine with much else to do may take its time; nothing here is about time. */
export function soon<T>(ask: () => Promise<T | null> | T | null): Promise<T> {
  return eventually(ask, 90_000)
}

/** Lets the bot in and waits until it has captions on. */
export async function begin({ show, sees }: Rehearsal): Promise<void> {
  await show.until('knocked')
  show.join('ana', 'ben')
  show.admit()
  await sees('admitted')
  await show.until('captions on')
}
