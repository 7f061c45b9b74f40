import { z } from 'zod'
import { onAbort } from '../../../lib/async/abort.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import type { PlatformEvent } from '../platform.ts'
import { askServer } from '../sound-call/ask-server.ts'

/** How a server lets the bot into a room. */
export type RoomEntry = { kind: 'found'; url: string; token: string }

/** The server forgets a guest who has not asked for three seconds. */
const ASK_AGAIN_MS = 1_000
/** After this many answers in a row that make no sense, the bot starts again. */
const MAX_FAILURES = 5
const MAX_NAME_CHARS = 100
const COOKIE = /^(lobbyParticipantId=[\w.-]{1,200})(?:;|$)/

const ANSWER_SCHEMA = z.object({
  status: z.enum(['waiting', 'accepted', 'denied', 'unknown']),
  livekit: z.object({ url: z.string().max(2_000), token: z.string().max(20_000) }).nullish(),
})

/** The place of a guest in the lobby, which also lets an admitted one return. */
export type GuestPass = { cookie: string | null }

type Options = {
  /** Kept during the visit. */
  pass: GuestPass
  /** The address of the room's page. */
  url: string
  code: string
  displayName: string
  timeoutMs: number
  timers: Timers
  signal: AbortSignal
  emit(event: PlatformEvent): void
}

/** Asks to enter a room of La Suite Meet as a guest, and waits until a participant has decided. */
export async function requestEntry(options: Options): Promise<RoomEntry | SessionEnd> {
  const { url, code, displayName, pass, timeoutMs, timers, signal, emit } = options
  const wakeUp = createWakeableSleep(timers)
  using stack = new DisposableStack()
  stack.defer(onAbort(signal, wakeUp.wake))
  const address = new URL(`/api/v1.0/rooms/${code}/request-entry/`, url)
  const body = JSON.stringify({ username: displayName.slice(0, MAX_NAME_CHARS) })
  let isWaiting = false
  for (let failures = 0; !signal.aborted;) {
    const answer = await askServer(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(pass.cookie !== null && { cookie: pass.cookie }),
      },
      body,
      timeoutMs,
      signal,
    })
    const read =
      typeof answer === 'string'
        ? { kind: 'failed' as const, why: answer }
        : readAnswer(address, answer)
    if (read.kind === 'over') return read
    if (read.kind === 'failed') {
      failures += 1
      // A guest who was waiting keeps the place in the lobby if the server answers in time.
      if (!isWaiting || failures >= MAX_FAILURES) return { kind: 'again', why: read.why }
    } else {
      failures = 0
      pass.cookie = read.cookie ?? pass.cookie
      if (read.kind === 'found') {
        if (!isWaiting) emit({ kind: 'way in' })
        return { kind: 'found', url: read.url, token: read.token }
      }
      if (!isWaiting) {
        emit({ kind: 'way in' })
        emit({ kind: 'lobby' })
      }
      isWaiting = true
    }
    await wakeUp.sleep(ASK_AGAIN_MS)
  }
  return { kind: 'left' }
}

type Read =
  | { kind: 'failed'; why: string }
  | (SessionEnd & { kind: 'over' })
  | { kind: 'waiting'; cookie: string | null }
  | { kind: 'found'; cookie: string | null; url: string; token: string }

function readAnswer(
  { host }: URL,
  { statusCode, headers, text }: Exclude<Awaited<ReturnType<typeof askServer>>, string>,
): Read {
  if (statusCode === 404)
    return {
      kind: 'over',
      because: 'meeting_not_found',
      detail: `${host} has no room with this code. Check the link`,
    }
  if (statusCode >= 300 && statusCode < 400)
    return {
      kind: 'over',
      because: 'page_not_loaded',
      detail: `${host} redirects guests. Add the host that it redirects to, and use a link to it`,
    }
  if (statusCode === 401 || statusCode === 403)
    return {
      kind: 'over',
      because: 'sign_in_required',
      detail: `${host} does not let guests ask to enter (status ${statusCode})`,
    }
  if (statusCode !== 200) return { kind: 'failed', why: `${host} answered ${statusCode}` }
  const answer = ANSWER_SCHEMA.safeParse(tryParseJson(text)).data
  if (answer === undefined)
    return {
      kind: 'over',
      because: 'page_not_loaded',
      detail: `${host} does not answer like La Suite Meet. Check the link`,
    }
  const cookie = findCookie(headers['set-cookie'])
  if (answer.status === 'denied')
    return {
      kind: 'over',
      because: 'denied',
      detail: 'A participant of the room did not let the bot in',
    }
  if (answer.status !== 'accepted') return { kind: 'waiting', cookie }
  return answer.livekit
    ? { kind: 'found', cookie, ...answer.livekit }
    : { kind: 'failed', why: `${host} let the bot in without naming a LiveKit server` }
}

function findCookie(given: string | string[] | undefined): string | null {
  for (const line of [given ?? []].flat()) {
    const cookie = COOKIE.exec(line)?.[1]
    if (cookie !== undefined) return cookie
  }
  return null
}
