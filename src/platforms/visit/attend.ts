import { randomBase62 } from '../../lib/random.ts'
import {
  SeatLost,
  type BrowserPool,
  type Seat,
  type SeatWishes,
  type StorageState,
} from '../../browser/seat.ts'
import { systemTimers, type Timers } from '../../lib/timers.ts'
import { createWakeUp } from '../../lib/wake-up.ts'
import type { PlatformName, Sighting, Visit } from '../platform.ts'
import { detailOf } from './details.ts'
import type { PagePlatform } from './page-platform.ts'
import { MAX_REJOINS, PATIENCE, type Patience } from './patience.ts'
import type { StayEnd } from './room.ts'
import { createSightings } from './sightings.ts'
import { stay } from './stay.ts'
import { within } from './within.ts'

/** What a signed-in person's browser kept, by the name of the bot account. */
export type OpenAccount = (platform: PlatformName, name: string) => Promise<StorageState>

export type AttendParts = {
  pool: BrowserPool
  /** Without it every visit is a guest's. */
  openAccount?: OpenAccount
  patience?: Partial<Patience>
  timers?: Timers
}

/** Pages are asked for in one language, for which the tables have most words. */
const LOCALE = 'en-US'

/** Attends a meeting of a platform that lives in a page: one stay, and further ones when a page fails. */
export async function* attendPage(
  platform: PagePlatform,
  parts: AttendParts,
  visit: Visit,
  signal: AbortSignal,
): AsyncGenerator<Sighting, void, undefined> {
  const sightings = createSightings()
  const gone = new AbortController()
  const visiting = { isOver: false }
  const staying = stayOn(
    platform,
    parts,
    visit,
    sightings.push,
    AbortSignal.any([signal, gone.signal]),
  )
  const running = staying.finally(() => {
    visiting.isOver = true
  })
  void Promise.allSettled([running])
  try {
    while (!visiting.isOver) {
      yield* sightings.take()
      await Promise.race([sightings.news(), running])
    }
    yield* sightings.take()
    await running
  } finally {
    gone.abort()
    await Promise.allSettled([running])
  }
}

async function stayOn(
  platform: PagePlatform,
  parts: AttendParts,
  visit: Visit,
  emit: (sighting: Sighting) => void,
  signal: AbortSignal,
): Promise<void> {
  const { timers = systemTimers } = parts
  const patience = { ...PATIENCE, ...parts.patience }
  const table = await platform.table()
  const wakeUp = createWakeUp(timers)
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  for (let failures = 0; !signal.aborted;) {
    const startedAt = timers.now()
    const end = await stayOnce({ platform, parts, patience, table, visit, emit, signal, timers })
    if (end.kind === 'left') return
    if (end.kind === 'over') return emit(overSighting(end))
    failures = timers.now() - startedAt >= patience.steadyStayMs ? 1 : failures + 1
    if (failures > MAX_REJOINS) {
      const detail = `${detailOf('browser_crashed', platform.title)}: ${end.why}`
      return emit({ seen: 'over', because: 'browser_crashed', detail })
    }
    if (!signal.aborted) await wakeUp.sleep(patience.rejoinMs)
  }
}

type OneStay = {
  platform: PagePlatform
  parts: AttendParts
  patience: Patience
  table: Awaited<ReturnType<PagePlatform['table']>>
  visit: Visit
  emit: (sighting: Sighting) => void
  signal: AbortSignal
  timers: Timers
}

/** A seat of its own for each stay, given back whatever happens in it. */
async function stayOnce({ parts, ...rest }: OneStay): Promise<StayEnd> {
  const { signal, patience, platform } = rest
  const wishes = await wishesFor(rest, parts)
  if (wishes === null) {
    const detail = `The bot account ${rest.visit.account} could not be opened; check it with hansard account check`
    return { kind: 'over', because: 'sign_in_required', detail }
  }
  let seat: Seat
  try {
    seat = await parts.pool.take(wishes, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!(error instanceof Error)) throw error
    const detail = `The browser for ${platform.title} could not be started: ${error.message}`
    return { kind: 'over', because: 'browser_crashed', detail }
  }
  try {
    return await stay({ ...rest, seat, mark: randomBase62(8) })
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!seat.lost.aborted) throw error
    return { kind: 'again', why: lostBecause(seat) }
  } finally {
    await within(patience.closeMs, seat[Symbol.asyncDispose]())
  }
}

/** Null when the account cannot be opened; why is for whoever keeps accounts to log. */
async function wishesFor(
  { platform, visit }: Omit<OneStay, 'parts'>,
  { openAccount }: AttendParts,
): Promise<SeatWishes | null> {
  const wishes = { locale: LOCALE, origins: platform.origins }
  if (visit.account === null) return wishes
  try {
    const storageState = await openAccount?.(platform.name, visit.account)
    return storageState === undefined ? null : { ...wishes, storageState }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}

function lostBecause({ lost }: Seat): string {
  return lost.reason instanceof SeatLost ? lost.reason.message : 'The page failed'
}

function overSighting({ because, detail }: StayEnd & { kind: 'over' }): Sighting {
  return { seen: 'over', because, ...(detail !== undefined && { detail }) }
}
