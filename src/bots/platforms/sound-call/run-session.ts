import { abortable, onAbort } from '../../../lib/async/abort.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { SocksTarget } from '../../browser/network/socks.ts'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { createInternalErrorEnd, logUnexpectedError } from '../page-session/page-errors.ts'
import {
  createPageClosedEnd,
  describeSlotLoss,
  isErrorCausedByPage,
  type SessionEnd,
} from '../page-session/page-session.ts'
import type { SessionTimeouts } from '../page-session/timeouts.ts'
import type { JoinRequest, PlatformEvent, PlatformName } from '../platform.ts'
import { openSoundCall, type CallContext, type CallProtocol } from './sound-call.ts'
import { openSoundPage, type SoundPage, type SoundPageMessage } from './sound-page.ts'
import type { Voices } from './voices.ts'

export type CallSessionOptions = {
  platform: SoundPlatform
  joinRequest: JoinRequest
  slot: BrowserSlot
  voices: Voices
  /** True if an earlier session of this visit, or an earlier bot of the meeting, was in the call. */
  wasAdmittedBefore: boolean
  /** Unique in the visit. */
  idPrefix: string
  timeouts: SessionTimeouts
  timers: Timers
  /** Lets the browser connect to a target. */
  allowTarget(target: SocksTarget): void
  emit(event: PlatformEvent): void
  signal: AbortSignal
  log: Log
}

/** A platform whose protocol the bot speaks itself. A browser only receives the sound. */
export type SoundPlatform = {
  name: PlatformName
  title: string
  /** Asks the server of the link for the call. Emits `way in` when the server has answered. */
  findCall(options: CallSessionOptions): Promise<FoundCall | SessionEnd>
}

export type FoundCall = { kind: 'found'; open(context: CallContext): CallProtocol }

/** How often chat, participants and sound are checked. */
const TICK_MS = 250

/** Runs one session, from the first request until the bot has left. */
export async function runCallSession(options: CallSessionOptions): Promise<SessionEnd> {
  const { platform, slot, timers, signal, log, idPrefix } = options
  const found = await platform.findCall(options)
  if (signal.aborted) return { kind: 'left' }
  if (found.kind !== 'found') return found

  const ended = Promise.withResolvers<SessionEnd>()
  const end = (value: SessionEnd) => ended.resolve(value)
  const fail = (step: string, error: unknown) => {
    if (isErrorCausedByPage(error, slot)) return end(createPageClosedEnd())
    logUnexpectedError(log, { platform: platform.name, sessionId: idPrefix, step }, error)
    end(createInternalErrorEnd())
  }
  const guarded =
    <Values extends unknown[]>(step: string, act: (...values: Values) => void) =>
    (...values: Values): void => {
      try {
        act(...values)
      } catch (error) {
        fail(step, error)
      }
    }

  let readPage: (message: SoundPageMessage, sentAt: number) => void = () => undefined
  const opening = openSoundPage(
    slot,
    guarded('read page', (message, sentAt) => readPage(message, sentAt)),
  )
  const page: SoundPage = await abortable(opening, slot.lostSignal)
  await using stack = new AsyncDisposableStack()
  stack.defer(onAbort(signal, () => end({ kind: 'left' })))
  stack.defer(onAbort(slot.lostSignal, () => end({ kind: 'again', why: describeSlotLoss(slot) })))
  const call = stack.use(openSoundCall({ ...options, page, end, fail, guarded }, found.open))
  readPage = call.readPage
  let cancelTick = () => {}
  const tick = guarded('check call', () => {
    call.tick()
    cancelTick = timers.after(TICK_MS, tick)
  })
  tick()
  stack.defer(() => cancelTick())

  if (slot.lostSignal.aborted) end({ kind: 'again', why: describeSlotLoss(slot) })
  if (signal.aborted) end({ kind: 'left' })
  const result = await ended.promise
  readPage = () => undefined
  call.finish(result)
  return result
}
