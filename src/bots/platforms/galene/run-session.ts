import type * as Undici from 'undici'
import { z } from 'zod'
import { abortable, onAbort } from '../../../lib/async/abort.ts'
import { randomBase62 } from '../../../lib/crypto.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { lazyRequire } from '../../../lib/lazy-require.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { SocksTarget } from '../../browser/network/socks.ts'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import {
  createInternalErrorEnd,
  logUnexpectedError,
  isProgrammingError,
} from '../page-session/page-errors.ts'
import {
  createPageClosedEnd,
  describeSlotLoss,
  isErrorCausedByPage,
  type SessionEnd,
} from '../page-session/page-session.ts'
import type { SessionTimeouts } from '../page-session/timeouts.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import { openGroupCall } from './group-call.ts'
import { type SoundPageMessage, openSoundPage, type SoundPage } from './media/sound-page.ts'
import type { Voices } from './media/voices.ts'
import { type GaleneHosts, isListedServer } from './meeting-link.ts'
import { openConnection } from './protocol/connection.ts'

/** The operator's settings for Galène. */
export type GaleneSettings = {
  hosts: GaleneHosts
  /** The password that bots join with; null to join without one. */
  password: string | null
}

export type GaleneSessionOptions = {
  settings: GaleneSettings
  joinRequest: JoinRequest
  slot: BrowserSlot
  voices: Voices
  /** True if an earlier session of this visit, or an earlier bot of the meeting, was in the group. */
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

/** undici is loaded with the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

const MAX_BYTES = 64 * 1_024
const STATUS_SCHEMA = z.object({ endpoint: z.string().max(2_000) })

type GroupStatus = { kind: 'found'; endpoint: URL } | Exclude<SessionEnd, { kind: 'left' }>

type Options = { hosts: GaleneHosts; timeoutMs: number; signal: AbortSignal }

/** Runs one session, from the request for the group's status until the bot has left. */
export async function runGaleneSession(options: GaleneSessionOptions): Promise<SessionEnd> {
  const { settings, joinRequest, slot, timeouts, timers, emit, signal, log, idPrefix } = options
  const status = await readGroupStatus(joinRequest.link.url, {
    hosts: settings.hosts,
    timeoutMs: timeouts.openMs,
    signal,
  })
  if (signal.aborted) return { kind: 'left' }
  if (status.kind !== 'found') return status
  emit({ kind: 'way in' })

  const ended = Promise.withResolvers<SessionEnd>()
  const end = (value: SessionEnd) => ended.resolve(value)
  const fail = (step: string, error: unknown) => {
    if (isErrorCausedByPage(error, slot)) return end(createPageClosedEnd())
    logUnexpectedError(log, { platform: 'galene', sessionId: idPrefix, step }, error)
    end(createInternalErrorEnd())
  }
  /** An error in a callback would end the process. This ends only the session. */
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

/** Asks a group's server for the address of its WebSocket. */
async function readGroupStatus(groupUrl: string, options: Options): Promise<GroupStatus> {
  const { hosts, timeoutMs, signal } = options
  const url = new URL('.status', groupUrl)
  const dispatcher = new (undici().Agent)({ maxResponseSize: MAX_BYTES })
  try {
    const { statusCode, headers, body } = await undici().request(url, {
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await body.text()
    if (statusCode >= 300 && statusCode < 400) return describeRedirect(url, headers.location)
    if (statusCode === 404)
      return over('meeting_not_found', `${url.host} has no group with this name. Check the link`)
    if (statusCode !== 200) return again(`${url.host} answered ${statusCode}`)
    return checkEndpoint(url, STATUS_SCHEMA.safeParse(tryParseJson(text)).data?.endpoint, hosts)
  } catch (error) {
    if (isProgrammingError(error)) throw error
    return again(`${url.host} could not be reached (${errorCode(error) || 'no valid response'})`)
  } finally {
    void dispatcher.destroy()
  }
}

function checkEndpoint(status: URL, given: string | undefined, hosts: GaleneHosts): GroupStatus {
  const endpoint = given === undefined ? null : URL.parse(given)
  if (endpoint === null)
    return over(
      'page_not_loaded',
      `${status.host} does not answer like a Galène server. Check the link`,
    )
  const expected = status.protocol === 'https:' ? 'wss:' : 'ws:'
  if (endpoint.protocol !== expected)
    return over(
      'page_not_loaded',
      `${status.host} names a connection that starts with ${endpoint.protocol} instead of ${expected}. If a proxy is in front of Galène, set proxyURL in its config.json`,
    )
  if (!isListedServer(endpoint, hosts))
    return over(
      'page_not_loaded',
      `${status.host} sends participants to ${endpoint.host}. Add it to HANSARD_GALENE_HOSTS if bots may connect to it`,
    )
  return { kind: 'found', endpoint }
}

function describeRedirect(url: URL, location: string | string[] | undefined): GroupStatus {
  const target = URL.parse([location].flat()[0] ?? '', url.href)
  const place =
    target === null
      ? 'another address'
      : `${target.origin}${target.pathname.replace(/\.status$/, '')}`
  return over(
    'meeting_not_found',
    `The group has moved to ${place.slice(0, 300)}. Start again with that link`,
  )
}

function over(because: (SessionEnd & { kind: 'over' })['because'], detail: string): GroupStatus {
  return { kind: 'over', because, detail }
}

function again(why: string): GroupStatus {
  return { kind: 'again', why }
}
