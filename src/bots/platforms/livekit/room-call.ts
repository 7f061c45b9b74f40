import type { CallContext, CallProtocol } from '../sound-call/sound-call.ts'
import { describeDisconnect, isAboutSound } from './end-reasons.ts'
import type { LivekitSettings } from './livekit.ts'
import { createMediaTargets } from './media-targets.ts'
import { createChatReader, encodeChatPackets } from './room-chat.ts'
import { createRoomMembers } from './room-members.ts'
import { openSignalConnection } from './signal-connection.ts'
import { clientSignals, type ServerSignal } from './signals.ts'
import { createTransports } from './transports.ts'

/** The LiveKit server of a room, and the token with which the bot joins it. */
export type RoomAccess = { server: URL; token: string }

type SignalOf<Type extends ServerSignal['type']> = Extract<ServerSignal, { type: Type }>
type SignalReaders = { [Type in ServerSignal['type']]: (signal: SignalOf<Type>) => void }

const ENCRYPTED =
  'The participants encrypt their sound end to end, so the bot cannot hear them. Turn encryption off for this room'
const CHAT_UNAVAILABLE = 'The bot may not write in the chat of this room (canPublishData)'
const CHAT_FAILED = 'The bot could not send its messages to the room'

/** The bot in a room of a LiveKit server. */
export function openRoomCall(
  call: CallContext,
  { settings, server, token }: RoomAccess & { settings: LivekitSettings },
): CallProtocol {
  const { timers, guarded, end, emit } = call
  const chat = createChatReader()
  const openedAt = timers.now()
  const stack = new AsyncDisposableStack()
  const targets = createMediaTargets({
    server: server.hostname,
    hosts: [...settings.hosts, ...settings.laSuiteMeetHosts],
    allowTarget: call.allowTarget,
  })
  const connection = stack.use(
    openSignalConnection({
      server,
      token,
      timers,
      guarded,
      onSignal: (signal) => read(signal),
      onLost: (why) => end({ kind: 'again', why }),
    }),
  )
  const room = createRoomMembers({ ...call, send: connection.send })
  const transports = stack.use(
    createTransports({
      page: call.page,
      timers,
      targets,
      send: connection.send,
      onRefused: () => end({ kind: 'again', why: 'The browser refused the offer of the server' }),
      onBroken: guarded('resume', () => connection.resume('The connection for sound broke')),
      onUnsent: () => emit({ kind: 'chat unavailable', detail: CHAT_FAILED }),
      onError: (error) => call.fail('receive sound', error),
    }),
  )

  function readLeave({ reason, action }: SignalOf<'leave'>): void {
    const after = describeDisconnect(reason)
    if (after.kind === 'over') return end(after)
    const { wasConnected, sources } = transports
    if (isAboutSound(reason) && !wasConnected() && sources.isAnyOffered()) {
      const detail = targets.describeProblem()
      return end({ kind: 'over', because: 'captions_unavailable', detail })
    }
    if (action === 'resume') connection.resume('The server asked the bot to connect again')
    else end(after)
  }
  const readers: SignalReaders = {
    join({ self, others, iceServers }) {
      transports.setIceServers(iceServers)
      call.admit()
      room.join(self, others)
      if (call.joinRequest.chat !== undefined && room.mayWrite()) transports.startPublishing()
    },
    resumed() {
      connection.send(clientSignals.syncState(room.subscribedTracks()))
      transports.restartPublishing()
    },
    offer: ({ sdp, id }) => transports.takeOffer(sdp, id),
    answer: ({ sdp }) => transports.takeAnswer(sdp),
    candidate: ({ target, candidate }) => transports.takeCandidate(target, candidate),
    members: ({ members }) => room.change(members),
    leave: readLeave,
    // The connection keeps it for a resume.
    'new token': () => undefined,
  }
  function read<Type extends ServerSignal['type']>(signal: SignalOf<Type>): void {
    const reader: (signal: SignalOf<Type>) => void = readers[signal.type]
    reader(signal)
  }
  function post(text: string): void {
    // A bot that was allowed to write only later has no connection for it yet.
    transports.startPublishing()
    // Pages sort messages by this time. It is the server's, so no clock of this machine is needed.
    const sentAt = Math.round(room.joinedAtMs() + timers.now() - openedAt)
    transports.publish(encodeChatPackets(text, sentAt))
  }

  return {
    sources: {
      ...transports.sources,
      isAnyConnected: () => transports.sources.isAnyConnected() && !room.isAllEncrypted(),
      areAllFailed: () => transports.sources.areAllFailed() || room.isAllEncrypted(),
    },
    describeSoundProblem: () => (room.isAllEncrypted() ? ENCRYPTED : targets.describeProblem()),
    chatPoster: () => (room.mayWrite() ? post : null),
    chatUnavailable: CHAT_UNAVAILABLE,
    findVoice: ({ streamId }) => room.findVoice(streamId),
    readPage(message) {
      const { kind, connectionId } = message
      if (kind === 'candidate') transports.sendCandidate(connectionId, message.candidate)
      else if (kind === 'state') transports.setState(connectionId, message.state)
      else for (const text of chat.read(message.data)) call.readChat(text, timers.now())
    },
    leave: () => connection.send(clientSignals.leave()),
    lostSinceMs() {
      const since = transports.silentSince()
      return since === null ? 0 : Math.max(0, timers.now() - since)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
