import { randomBase62 } from '../../../lib/crypto.ts'
import { onAbort } from '../../../lib/async/abort.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { AttendOptions } from '../page-session/attend-page.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform } from '../platform.ts'
import { askServer } from '../sound-call/ask-server.ts'
import { attendSoundCall } from '../sound-call/attend-call.ts'
import { isListedServer, type ListedHosts } from '../sound-call/listed-hosts.ts'
import type { CallSessionOptions, SoundPlatform } from '../sound-call/run-session.ts'
import type { SignToken } from './access-token.ts'
import { requestEntry, type GuestPass } from './la-suite-meet.ts'
import { findRoom, listExampleLinks, parseLivekitLink } from './livekit-link.ts'
import { openRoomCall, type RoomAccess } from './room-call.ts'

/** The operator's settings for LiveKit. */
export type LivekitSettings = {
  /** LiveKit servers, and the machines that their sound comes from. */
  hosts: ListedHosts
  /** Websites of La Suite Meet, whose rooms bots enter as guests. */
  laSuiteMeetHosts: ListedHosts
  /** Makes the tokens with which bots join rooms by name; null without a key. */
  signToken: SignToken | null
}

export type LivekitOptions = AttendOptions & { settings: LivekitSettings }

/** A hint with all servers of a large organization would be too long. */
const MAX_EXAMPLES = 3
/** How often the bot asks for a room that does not exist yet. */
const ASK_AGAIN_MS = 10_000
const MAX_WORDS = 300

type Access = (RoomAccess & { kind: 'found' }) | SessionEnd

/** Rooms of LiveKit servers. The bot speaks their protocol itself; a browser only receives sound. */
export function createLivekit(options: LivekitOptions): Platform {
  const { settings } = options
  const { title } = PLATFORM_INFO.livekit
  return {
    name: 'livekit',
    title,
    // Without a listed server, no link is accepted.
    linkExamples: listExampleLinks(settings).slice(0, MAX_EXAMPLES),
    parseLink: (given) => parseLivekitLink(given, settings),
    attend(joinRequest, signal) {
      const findAccess = createAccessFinder(settings)
      const soundPlatform: SoundPlatform = {
        name: 'livekit',
        title,
        async findCall(session) {
          const access = await findAccess(session)
          if (access.kind !== 'found') return access
          return { kind: 'found', open: (call) => openRoomCall(call, { settings, ...access }) }
        },
      }
      return attendSoundCall(soundPlatform, options, joinRequest, signal)
    },
  }
}

/** Finds the server and the token for each session of one visit. */
function createAccessFinder(settings: LivekitSettings) {
  const pass: GuestPass = { cookie: null }
  /** A participant with the same identity replaces a stay of which the server does not know yet that it is over. */
  const identity = `hansard-${randomBase62(16)}`
  return async (session: CallSessionOptions): Promise<Access> => {
    const url = new URL(session.joinRequest.link.url)
    const place = findRoom(url)
    if (place === null) throw new Error('the link names no room')
    return place.kind === 'room'
      ? openRoom(url, place.name, identity, settings, session)
      : enterAsGuest(url, place.code, pass, settings, session)
  }
}

/** Makes a token for a room, and asks the server whether it accepts it. */
async function openRoom(
  url: URL,
  room: string,
  identity: string,
  { signToken }: LivekitSettings,
  session: CallSessionOptions,
): Promise<Access> {
  const { joinRequest, timers, timeouts, signal, emit } = session
  if (signToken === null)
    return over(
      'sign_in_required',
      'Bots join rooms of this server with a key. Set HANSARD_LIVEKIT_API_KEY and HANSARD_LIVEKIT_API_SECRET',
    )
  const wakeUp = createWakeableSleep(timers)
  using stack = new DisposableStack()
  stack.defer(onAbort(signal, wakeUp.wake))
  for (let isAskedBefore = false; !signal.aborted; isAskedBefore = true) {
    const name = joinRequest.displayName
    const token = signToken({ room, identity, name })
    const answer = await askServer(new URL('/rtc/validate', url), {
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: timeouts.openMs,
      signal,
    })
    if (typeof answer === 'string') return again(answer)
    const { statusCode, text } = answer
    const words = text.trim().slice(0, MAX_WORDS)
    if (statusCode === 200) {
      if (words !== 'success') return notLivekit(url)
      emit({ kind: 'way in' })
      return { kind: 'found', server: toWebSocketUrl(url.origin), token }
    }
    if (statusCode === 401 || statusCode === 403)
      return over(
        'sign_in_required',
        `${url.host} refused the token of the bot: “${words}”. Check HANSARD_LIVEKIT_API_KEY, its secret, and the clocks of both machines`,
      )
    if (statusCode !== 404) return again(`${url.host} answered ${statusCode}`)
    // A server that does not create rooms by itself has this one only when the meeting starts.
    if (!/room.*(does not exist|not found)/i.test(words)) return notLivekit(url)
    if (!isAskedBefore) emit({ kind: 'not started' })
    await wakeUp.sleep(ASK_AGAIN_MS)
  }
  return { kind: 'left' }
}

async function enterAsGuest(
  url: URL,
  code: string,
  pass: GuestPass,
  { hosts, laSuiteMeetHosts }: LivekitSettings,
  { joinRequest, timers, timeouts, signal, emit }: CallSessionOptions,
): Promise<Access> {
  const { displayName } = joinRequest
  const timeoutMs = timeouts.openMs
  const entry = await requestEntry({
    url: url.href,
    code,
    displayName,
    pass,
    timeoutMs,
    timers,
    signal,
    emit,
  })
  if (entry.kind !== 'found') return entry
  const server = URL.parse(entry.url)
  if (server === null || !/^(https?|wss?):$/.test(server.protocol))
    return over('page_not_loaded', `${url.host} names no LiveKit server`)
  const webSocketUrl = toWebSocketUrl(server.href)
  if (url.protocol === 'https:' && webSocketUrl.protocol !== 'wss:')
    return over(
      'page_not_loaded',
      `${url.host} names a LiveKit server without TLS. Set LIVEKIT_API_URL of La Suite Meet to an address with https`,
    )
  if (!isListedServer(webSocketUrl, [...hosts, ...laSuiteMeetHosts]))
    return over(
      'page_not_loaded',
      `${url.host} sends participants to ${server.host}. Add it to HANSARD_LIVEKIT_HOSTS if bots may connect to it`,
    )
  return { kind: 'found', server: webSocketUrl, token: entry.token }
}

/** The same address for a WebSocket. */
function toWebSocketUrl(address: string): URL {
  return new URL(address.replace(/^http/, 'ws'))
}

function notLivekit({ host }: URL): Access {
  return over('page_not_loaded', `${host} does not answer like a LiveKit server. Check the link`)
}

function over(because: (SessionEnd & { kind: 'over' })['because'], detail: string): Access {
  return { kind: 'over', because, detail }
}

function again(why: string): Access {
  return { kind: 'again', why }
}
