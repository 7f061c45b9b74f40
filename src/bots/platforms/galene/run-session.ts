import { randomBase62 } from '../../../lib/crypto/random.ts'
import { abortable } from '../../../lib/async/abortable.ts'
import { onAbort } from '../../../lib/async/on-abort.ts'
import type { Timers } from '../../../lib/time/timers.ts'
import type { Log } from '../../../log.ts'
import type { SocksTarget } from '../../browser/network/socks.ts'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { createInternalErrorEnd, logUnexpectedError } from '../page-session/errors/page-errors.ts'
import {
  createPageClosedEnd,
  describeSlotLoss,
  isErrorCausedByPage,
  type SessionEnd,
} from '../page-session/page-session.ts'
import type { SessionTimeouts } from '../page-session/timeouts.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import { openGroupCall } from './group-call.ts'
import { openSoundPage, type SoundPage } from './media/sound-page.ts'
import type { SoundPageMessage } from './media/page-messages.ts'
import type { Voices } from './media/voices.ts'
import { openConnection } from './protocol/connection.ts'
import { readGroupStatus } from './protocol/group-status.ts'
import type { GaleneHosts } from './hosts.ts'

/** What the operator set for Galène. */
export type GaleneSettings = {
  hosts: GaleneHosts
  /** The password with which bots join; null to join without one. */
  password: string | null
}

export type GaleneSessionOptions = {
  settings: GaleneSettings
  joinRequest: JoinRequest
  slot: BrowserSlot
  voices: Voices
  /** Whether an earlier session of this visit, or an earlier bot of the meeting, was in the group. */
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

/** How often chat, participants and streams are checked. */
const TICK_MS = 250

/** Runs one session, from asking the server for the group to leaving it. */
export async function runGaleneSession(options: GaleneSessionOptions): Promise<SessionEnd> {
  const { settings, joinRequest, slot, timeouts, timers, emit, signal, log, idPrefix } = options
  const status = await readGroupStatus(joinRequest.link.url, {
    hosts: settings.hosts,
    timeoutMs: timeouts.openMs,
    signal,
  })
  if (signal.aborted) return { kind: 'left' }
  if (status.kind !== 'found') return status
  emit({ kind: 'door' })

  const ended = Promise.withResolvers<SessionEnd>()
  const end = (value: SessionEnd) => ended.resolve(value)
  const fail = (step: string, error: unknown) => {
    if (isErrorCausedByPage(error, slot)) return end(createPageClosedEnd())
    logUnexpectedError(log, { platform: 'galene', sessionId: idPrefix, step }, error)
    end(createInternalErrorEnd())
  }
  /** An error in a callback would end the process; here it ends only the session. */
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
  let lostSinceMs = 0
  await using stack = new AsyncDisposableStack()
  stack.defer(onAbort(signal, () => end({ kind: 'left' })))
  stack.defer(onAbort(slot.lostSignal, () => end({ kind: 'again', why: describeSlotLoss(slot) })))
  const connection = stack.use(
    openConnection({
      endpoint: status.endpoint,
      timers,
      onOpen: guarded('join', () => call.join()),
      onMessage: guarded('read message', (message) => call.read(message)),
      onLost(why, sinceMs) {
        lostSinceMs = sinceMs
        end({ kind: 'again', why })
      },
    }),
  )
  const ownId = randomBase62(22)
  const call = stack.use(
    openGroupCall({
      ...options,
      server: status.endpoint.hostname,
      ownId,
      page,
      connection,
      end,
      fail,
    }),
  )
  readPage = call.readPage
  let cancelTick = () => {}
  const tick = guarded('check group', () => {
    call.tick()
    cancelTick = timers.after(TICK_MS, tick)
  })
  tick()
  stack.defer(() => cancelTick())

  if (slot.lostSignal.aborted) end({ kind: 'again', why: describeSlotLoss(slot) })
  if (signal.aborted) end({ kind: 'left' })
  const result = await ended.promise
  readPage = () => undefined
  call.finish(result, lostSinceMs)
  return result
}
