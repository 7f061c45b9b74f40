import type { SessionEnd } from '../page-session/page-session.ts'
import type { PlatformEndReason } from '../platform.ts'
import type { CallContext } from '../sound-call/sound-call.ts'
import { selectTurnServers, type UsableTurnServers } from '../sound-call/turn-servers.ts'
import type { GaleneSettings } from './galene.ts'
import { findGroupName } from './meeting-link.ts'
import type { MessageOfType } from './messages.ts'

/** How the bot becomes a member of the group, and what it may do there. */
export type Membership = ReturnType<typeof createMembership>

/** How long the bot waits before it asks again to join a group that is not open yet. */
const ASK_AGAIN_MS = 10_000
const PROTOCOL_VERSION = '2'
/** The server itself had a problem, so the bot asks again. */
const SERVER_ERROR = 'internal server error'
const NO_TURN_SERVERS: UsableTurnServers = { iceServers: [], targets: [], unlisted: [] }

type Options = Pick<CallContext, 'joinRequest' | 'timers' | 'emit' | 'end' | 'fail'> & {
  settings: GaleneSettings
  /** The host name of the server that the bot is connected to. */
  server: string
  /** The bot's id in the group. */
  ownId: string
  send(message: object): void
  onAdmitted(): void
  onTurnServers(servers: UsableTurnServers): void
}

/** Why the server did not let the bot in. */
type Refusal = {
  because: PlatformEndReason
  detail: string
  /** True if the group may open by itself, so that asking again makes sense. */
  mayOpenLater?: boolean
}

type RefusalRow = {
  /** The server's words or error code. */
  texts: readonly string[]
  because(hasPassword: boolean): PlatformEndReason
  /** What to do about it. */
  advice(hasPassword: boolean): string
  mayOpenLater?: boolean
}

const SETTING = 'HANSARD_GALENE_PASSWORD'

/** Galène's answers to a request to join. No row has the words of an operator who locked the group. */
const REFUSALS: readonly RefusalRow[] = [
  {
    texts: ['not authorised'],
    because: (hasPassword) => (hasPassword ? 'denied' : 'sign_in_required'),
    advice: (hasPassword) =>
      hasPassword
        ? `Check ${SETTING}: the group may need another password, or a password for the name of the bot`
        : `If the group needs a password, set it as ${SETTING}`,
  },
  {
    texts: ['duplicate-username'],
    because: () => 'denied',
    advice: () => 'Choose another name for the bot: a member of the group has this name',
  },
  {
    texts: ['group does not exist', 'illegal group name'],
    because: () => 'meeting_not_found',
    advice: () => 'Check the link',
  },
  {
    texts: ['this group is not open yet', 'there are no operators in this group'],
    because: () => 'meeting_not_started',
    advice: () => 'Start the bot when the group is open',
    mayOpenLater: true,
  },
  {
    texts: ['this group is closed'],
    because: () => 'meeting_not_found',
    advice: () => 'The group has expired. Ask its owner for a new one',
  },
  {
    texts: ['too many users'],
    because: () => 'denied',
    advice: () => 'The group has reached its limit of participants (max-clients)',
  },
]

const LOCKED_ADVICE =
  'If the group is locked, ask an operator of the group to unlock it, then start again'

/** With these words, the server removes all members after the last operator has left. */
const OPERATORS_LEFT = 'there are no operators in this group'
/** With these words, the server removes all members before it shuts down. It may be started again. */
const SERVER_ENDS = 'server is shutting down'

export function createMembership(options: Options) {
  const { settings, joinRequest, timers, emit, end, ownId, send } = options
  const group = findGroupName(new URL(joinRequest.link.url).pathname)
  let isAdmitted = false
  let isWaiting = false
  let permissions: readonly string[] = []
  /** The name that the server gave the bot. A message with another name ends the connection. */
  let username = ''
  let turnServers = Promise.resolve(NO_TURN_SERVERS)
  let cancelAsking = () => {}
  let isDisposed = false

  function requestMembership(): void {
    send({
      type: 'join',
      kind: 'join',
      group,
      username: toUsername(joinRequest.displayName),
      password: settings.password ?? '',
    })
  }
  function update(message: MessageOfType<'joined'>): void {
    const { server, onTurnServers, fail } = options
    permissions = message.permissions ?? []
    username = message.username
    const given = message.rtcConfiguration?.iceServers ?? []
    turnServers = selectTurnServers(given, { server, hosts: settings.hosts }).then((usable) => {
      onTurnServers(usable)
      return usable
    })
    turnServers.catch((error: unknown) => fail('select TURN servers', error))
  }
  function readRefusal(message: MessageOfType<'joined'>): void {
    if (message.value === SERVER_ERROR)
      return end({ kind: 'again', why: `The server answered “${SERVER_ERROR}”` })
    const { mayOpenLater, ...refusal } = describeRefusal(message, settings.password !== null)
    if (mayOpenLater !== true) return end({ kind: 'over', ...refusal })
    if (!isWaiting) emit({ kind: 'not started' })
    isWaiting = true
    cancelAsking()
    cancelAsking = timers.after(ASK_AGAIN_MS, requestMembership)
  }

  return {
    askToJoin() {
      send({ type: 'handshake', version: [PROTOCOL_VERSION], id: ownId })
      requestMembership()
    },
    read(message: MessageOfType<'joined'>) {
      if (isDisposed) return
      switch (message.kind) {
        case 'join':
          update(message)
          if (!isAdmitted) options.onAdmitted()
          isAdmitted = true
          return
        case 'change':
          return update(message)
        case 'fail':
        case 'redirect':
          return readRefusal(message)
        case 'leave':
          return end({ kind: 'again', why: 'The server ended the membership of the bot' })
      }
    },
    leave() {
      if (isAdmitted) send({ type: 'join', kind: 'leave', group })
    },
    isAdmitted: () => isAdmitted,
    /** A function that writes in the chat; null if the bot may not. */
    chatPoster: (): ((text: string) => void) | null =>
      permissions.includes('message')
        ? (value) => send({ type: 'chat', source: ownId, username, noecho: true, value })
        : null,
    turnServers: () => turnServers,
    [Symbol.dispose]() {
      isDisposed = true
      cancelAsking()
    },
  }
}

/** Galène refuses names that look like a path. */
function toUsername(displayName: string): string {
  return displayName.replaceAll(/[/\\]/g, '-').replace(/^\.+/, '')
}

/** Explains the server's answer to a request to join, with its own words. */
function describeRefusal(
  { kind, error, value }: Pick<MessageOfType<'joined'>, 'kind' | 'error' | 'value'>,
  hasPassword: boolean,
): Refusal {
  const said = value.slice(0, 300)
  if (kind === 'redirect')
    return {
      because: 'meeting_not_found',
      detail: `The group has moved to ${said}. Start again with that link`,
    }
  const row = REFUSALS.find(({ texts }) => texts.includes(error) || texts.includes(value))
  const quote = `Galène did not let the bot in: “${said || error || 'no reason given'}”`
  if (row === undefined) return { because: 'denied', detail: `${quote}. ${LOCKED_ADVICE}` }
  return {
    because: row.because(hasPassword),
    detail: `${quote}. ${row.advice(hasPassword)}`,
    ...(row.mayOpenLater === true && { mayOpenLater: true }),
  }
}

/** How the session ends after the server has removed the bot. */
export function describeKick(words: string): SessionEnd {
  const said = words.slice(0, 300)
  if (words === SERVER_ENDS) return { kind: 'again', why: `The server said: “${said}”` }
  return words === OPERATORS_LEFT
    ? { kind: 'over', because: 'host_ended', detail: `Galène ended the meeting: “${said}”` }
    : {
        kind: 'over',
        because: 'removed',
        detail: `An operator removed the bot from the group: “${said}”`,
      }
}
