import type { State } from '../page/decide.ts'
import { arrive } from './arrive.ts'
import { detailOf } from './details.ts'
import { collectEvidence } from './evidence.ts'
import { keepCaptions } from './keep-captions.ts'
import { keepLanguage } from './keep-language.ts'
import { keepPeople, learnSelf } from './keep-people.ts'
import { openRoom, type Room, type StayEnd, type StayParts } from './room.ts'
import { tellDrift } from './tell-drift.ts'
import { within } from './within.ts'

/** During a call the page is looked at less often: what is said comes by itself. */
const PACE_MS = 500
const CALL_MS = 500
/** States that a call cannot come to by itself: the page has begun anew. */
const BEFORE: ReadonlySet<State | 'unknown'> = new Set([
  'prejoin',
  'launcher',
  'loading',
  'lobby',
  'question',
])
const BEFORE_MS = 5_000

/** One stay in one page, from opening it to being out of it again. */
export async function stay(parts: StayParts): Promise<StayEnd> {
  const room = await openRoom(parts)
  const end = (await arrive(room)) ?? (await attendCall(room))
  room.ear.flush(room.now())
  if (end.kind === 'over') return tellOver(room, end)
  if (end.kind === 'left') await leave(room)
  return end
}

async function attendCall(room: Room): Promise<StayEnd> {
  const { eye, ear, emit, bridge, now } = room
  eye.know({ phase: 'inside' }, now())
  // Whoever does not know itself counts itself among the people.
  await learnSelf(room)
  emit({ seen: 'admitted' })
  ear.open()
  await room.attempt(async () => (await bridge.pace(PACE_MS), true))
  const caretakers = [keepCaptions, keepPeople, keepLanguage, tellDrift].map((make) => make(room))
  let outsideSince: number | null = null
  for (;;) {
    const { state, because } = eye.steady()
    const end =
      room.interruption() ?? (because === null ? null : { kind: 'over' as const, because })
    if (end !== null) return end
    outsideSince = BEFORE.has(state) ? (outsideSince ?? now()) : null
    const hasLeft = outsideSince !== null && now() - outsideSince >= BEFORE_MS
    if (state === 'away' || hasLeft) return { kind: 'again', why: 'The page left the meeting' }
    // Whoever reconnects must not be worked on: what is missing comes back by itself.
    if (!eye.latest().conditions.includes('reconnecting')) {
      for (const care of caretakers) {
        const hopeless = await care()
        if (hopeless !== null) return hopeless
      }
    }
    await room.wait(CALL_MS)
  }
}

/** What the page looked like comes before the end, after which nobody listens. */
async function tellOver(room: Room, end: StayEnd & { kind: 'over' }): Promise<StayEnd> {
  const { seat, bridge, eye, emit, platform, ear } = room
  emit({ seen: 'evidence', evidence: await collectEvidence(seat, bridge, eye.latest()) })
  const said = end.detail ?? detailOf(end.because, platform.title)
  const isRefused = end.because === 'denied' || end.because === 'blocked_by_platform'
  const note =
    isRefused && ear.isSuspected() ? ' (the platform takes this browser for a program)' : ''
  return { ...end, detail: `${said}${note}` }
}

/** Says goodbye, and looks whether the page has understood. */
async function leave(room: Room): Promise<void> {
  const { platform, eye, hand, patience, now, seat } = room
  const isInside = eye.phase() === 'inside'
  eye.know({ phase: 'leaving' }, now())
  const until = now() + patience.leaveMs
  const act = isInside ? platform.leave : platform.withdraw
  await within(
    patience.leaveMs,
    room.attempt(async () => (await hand.wake(), await act(hand))),
  )
  while (now() < until && eye.latest().state !== 'left' && !seat.lost.aborted) {
    await room.wait(until - now())
  }
}
