import { selectTurnServers, type UsableTurnServers } from './media/turn-servers.ts'
import { findGroupName } from './meeting-link.ts'
import type { GroupCallOptions } from './group-call.ts'
import type { MessageOfType } from './protocol/messages.ts'
import { describeRefusal } from './protocol/refusals.ts'

/** How the bot becomes a member of the group, and what it may do there. */
export interface Membership extends Disposable {
  askToJoin(): void
  read(message: MessageOfType<'joined'>): void
  leave(): void
  isAdmitted(): boolean
  /** Writes a message in the chat; null when the bot may not. */
  chatPoster(): ((text: string) => void) | null
  turnServers(): Promise<UsableTurnServers>
}

/** A group that is not open yet is asked for again after this time. */
const ASK_AGAIN_MS = 10_000
const PROTOCOL_VERSION = '2'
/** The server had a problem of its own, so the bot asks again. */
const SERVER_ERROR = 'internal server error'
const NO_TURN_SERVERS: UsableTurnServers = { iceServers: [], targets: [], unlisted: [] }

type Options = Pick<
  GroupCallOptions,
  | 'settings'
  | 'joinRequest'
  | 'timers'
  | 'emit'
  | 'end'
  | 'fail'
  | 'server'
  | 'ownId'
  | 'connection'
> & {
  onAdmitted(): void
  onTurnServers(servers: UsableTurnServers): void
}

export function createMembership(options: Options): Membership {
  const { settings, joinRequest, timers, emit, end, ownId, connection } = options
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
    connection.send({
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
      connection.send({ type: 'handshake', version: [PROTOCOL_VERSION], id: ownId })
      requestMembership()
    },
    read(message) {
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
      if (isAdmitted) connection.send({ type: 'join', kind: 'leave', group })
    },
    isAdmitted: () => isAdmitted,
    chatPoster: () =>
      permissions.includes('message')
        ? (value) => connection.send({ type: 'chat', source: ownId, username, noecho: true, value })
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
