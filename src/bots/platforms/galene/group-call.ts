import { randomBase62 } from '../../../lib/crypto.ts'
import { openTextSocket } from '../../../lib/net/text-socket.ts'
import { NO_NAME } from '../sound-call/members.ts'
import type { CallContext, CallProtocol } from '../sound-call/sound-call.ts'
import type { UsableTurnServers } from '../sound-call/turn-servers.ts'
import type { GaleneSettings } from './galene.ts'
import { createMembership, describeKick } from './membership.ts'
import {
  MAX_MESSAGE_BYTES,
  parseServerMessage,
  type MessageOfType,
  type ServerMessage,
} from './messages.ts'
import { createStreams } from './streams.ts'

type MessageReaders = {
  [Type in ServerMessage['type']]: (message: MessageOfType<Type>) => void
}

/** The server expects a ping or another message about this often, and sends one too. */
const SILENCE = { checkMs: 20_000, limitMs: 60_000 }
const NO_TURN =
  'The Galène server offers no TURN server by TCP, which bots need. Start Galène with its built-in TURN server (-turn), or add one to ice-servers.json with ?transport=tcp'

/** The bot in a group, over one connection to the server. */
export function openGroupCall(
  call: CallContext,
  { settings, endpoint }: { settings: GaleneSettings; endpoint: URL },
): CallProtocol {
  const { members, timers, guarded, end, voices } = call
  const ownId = randomBase62(22)
  members.setSelf(ownId)
  const status = { lostSinceMs: 0, soundProblem: NO_TURN }
  const stack = new AsyncDisposableStack()
  const socket = stack.use(
    openTextSocket({
      url: endpoint,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      timers,
      silence: { ...SILENCE, onCheck: () => socket.send({ type: 'ping' }) },
      onOpen: guarded('join', () => membership.askToJoin()),
      onText: guarded('read message', (text) => {
        const message = parseServerMessage(text)
        if (message !== null) read(message)
      }),
      onLost(why, sinceMs) {
        status.lostSinceMs = sinceMs
        end({ kind: 'again', why })
      },
    }),
  )
  const streams = stack.use(
    createStreams({
      ...call,
      send: socket.send,
      iceServers: async () => (await membership.turnServers()).iceServers,
      onClosed: call.endVoice,
      onError: (error) => call.fail('receive stream', error),
    }),
  )
  const membership = stack.use(
    createMembership({
      ...call,
      settings,
      ownId,
      server: endpoint.hostname,
      send: socket.send,
      onAdmitted() {
        call.admit()
        socket.send({ type: 'request', request: { '': ['audio'] } })
      },
      onTurnServers(servers) {
        servers.targets.forEach(call.allowTarget)
        status.soundProblem = describeSoundProblem(servers)
      },
    }),
  )

  function readOffer(message: MessageOfType<'offer'>): void {
    const key = streams.takeOffer(message)
    if (key === null) return
    const name = members.roster.nameOf(message.source) ?? (message.username || NO_NAME)
    call.setSpeaker(key, { participantId: message.source, name })
  }
  function readChat({ kind, id, dest, source, username, value }: MessageOfType<'chat'>): void {
    // Captions that a member types are left out, because speech recognition hears the same words.
    if (kind === 'caption' || dest !== '') return
    const message = { messageId: id, authorId: source, authorName: username, text: value }
    call.readChat(message, timers.now())
  }
  const inCall =
    <Message>(act: (message: Message) => void) =>
    (message: Message): void => {
      if (call.isAdmitted()) act(message)
    }
  const readers: MessageReaders = {
    ping: () => socket.send({ type: 'pong' }),
    pong: () => undefined,
    joined: membership.read,
    user({ kind, id, username, permissions }) {
      const isHost = permissions?.includes('op') ?? false
      const change = { id, name: username, isPresent: kind !== 'delete', isHost }
      members.apply(change, { isNew: kind === 'add' })
      if (kind !== 'delete') voices.rename(id, username || NO_NAME)
    },
    offer: inCall(readOffer),
    ice: inCall(streams.takeCandidate),
    close: inCall(({ id }) => streams.close(id)),
    chat: inCall(readChat),
    usermessage({ kind, privileged, value }) {
      // A participant can send such a message too, but only the server and operators are privileged.
      if (kind === 'kicked' && privileged) end(describeKick(value))
    },
  }
  function read<Type extends ServerMessage['type']>(message: MessageOfType<Type>): void {
    const reader: (message: MessageOfType<Type>) => void = readers[message.type]
    reader(message)
  }

  return {
    sources: streams,
    describeSoundProblem: () => status.soundProblem,
    chatPoster: membership.chatPoster,
    chatUnavailable:
      'The bot may not write in the chat of this Galène group (permission “message”)',
    // Each stream has a connection of its own.
    findVoice: ({ connectionId }) => connectionId,
    readPage(message) {
      const { kind, connectionId } = message
      if (kind === 'candidate') streams.sendCandidate(connectionId, message.candidate)
      if (kind === 'state') streams.setState(connectionId, message.state)
    },
    leave: membership.leave,
    lostSinceMs: () => status.lostSinceMs,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Why no sound arrives through these servers, and what to do. */
export function describeSoundProblem({ iceServers, unlisted }: UsableTurnServers): string {
  if (iceServers.length > 0)
    return 'The sound of the meeting did not reach the bot. Check that the TURN server of Galène is reachable by TCP from this machine'
  if (unlisted.length > 0)
    return `Galène sends sound through ${unlisted.slice(0, 3).join(', ')}. Add the host to HANSARD_GALENE_HOSTS if bots may connect to it`
  return NO_TURN
}
