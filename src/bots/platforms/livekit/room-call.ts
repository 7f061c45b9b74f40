import type { CallContext, CallProtocol } from '../sound-call/sound-call.ts'
import { describeDisconnect, isAboutSound } from './end-reasons.ts'
import type { LivekitSettings } from './livekit.ts'
import { createMediaTargets } from './media-targets.ts'
import { createChatReader, encodeChatPackets } from './room-chat.ts'
import { openSignalConnection } from './signal-connection.ts'
import { clientSignals, type LeaveAction, type RoomMember, type ServerSignal } from './signals.ts'
import { createTransports } from './transports.ts'

/** The LiveKit server of a room, and the token with which the bot joins it. */
export type RoomAccess = { server: URL; token: string }

type SignalOf<Type extends ServerSignal['type']> = Extract<ServerSignal, { type: Type }>
type SignalReaders = { [Type in ServerSignal['type']]: (signal: SignalOf<Type>) => void }

const ENCRYPTED =
  'The participants encrypt their sound end to end, so the bot cannot hear them. Turn encryption off for this room'
const CHAT_UNAVAILABLE = 'The bot may not write in the chat of this room (canPublishData)'
const CHAT_FAILED = 'The bot could not send its messages to the room'
/** Voices of participants, by their stays. The limit keeps a hostile server from filling the memory. */
const MAX_VOICES = 2_000

/** The bot in a room of a LiveKit server. */
export function openRoomCall(
  call: CallContext,
  { settings, server, token }: RoomAccess & { settings: LivekitSettings },
): CallProtocol {
  const { members, timers, guarded, end, emit, voices } = call
  /** Everybody else in the room, by the id of the stay. */
  const stays = new Map<string, RoomMember>()
  const voicesOfStays = new Map<string, Set<string>>()
  let voiceCount = 0
  const subscribed = new Set<string>()
  const chat = createChatReader()
  let mayWrite = true
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
  const transports = stack.use(
    createTransports({
      page: call.page,
      timers,
      targets,
      send: connection.send,
      onRefused: () => end({ kind: 'again', why: 'The browser refused the offer of the server' }),
      onBroken: () => connection.resume('The connection for sound broke'),
      onUnsent: () => emit({ kind: 'chat unavailable', detail: CHAT_FAILED }),
      onError: (error) => call.fail('receive sound', error),
    }),
  )

  function apply(member: RoomMember, ownSid: string): void {
    const { sid, identity, name, isHost, isPresent } = member
    if (sid === ownSid) {
      mayWrite = member.mayWrite
      return
    }
    const isNew = !stays.has(sid)
    if (isPresent) stays.set(sid, member)
    else if (!stays.delete(sid)) return
    if (!isPresent) endVoicesOf(sid)
    else voices.rename(sid, name)
    // Somebody who joined again is there under the same identity before the earlier stay ends.
    const isElsewhere = [...stays.values()].some((stay) => stay.identity === identity)
    if (isPresent || !isElsewhere)
      members.apply({ id: identity, name, isPresent, isHost }, { isNew })
  }
  function endVoicesOf(sid: string): void {
    for (const key of voicesOfStays.get(sid) ?? []) call.endVoice(key)
    voicesOfStays.delete(sid)
  }
  /** Asks for the sound of all participants, without their video. */
  function subscribe(): void {
    const present = [...stays.values()].flatMap(({ audioTracks }) => audioTracks)
    const wanted = present.filter(({ isEncrypted }) => !isEncrypted).map(({ sid }) => sid)
    const added = wanted.filter((sid) => !subscribed.has(sid))
    subscribed.clear()
    for (const sid of wanted) subscribed.add(sid)
    if (added.length > 0) connection.send(clientSignals.subscribe(added))
  }
  function isAllEncrypted(): boolean {
    const tracks = [...stays.values()].flatMap(({ audioTracks }) => audioTracks)
    return tracks.length > 0 && tracks.every(({ isEncrypted }) => isEncrypted)
  }
  function readLeave(reason: number, action: LeaveAction): void {
    const after = describeDisconnect(reason)
    if (after.kind === 'over') return end(after)
    if (isAboutSound(reason) && !transports.wasConnected() && transports.sources.isAnyOffered())
      return end({
        kind: 'over',
        because: 'captions_unavailable',
        detail: targets.describeProblem(),
      })
    if (action === 'resume') connection.resume('The server asked the bot to connect again')
    else end(after)
  }

  let ownSid = ''
  const readers: SignalReaders = {
    join({ self, others, iceServers }) {
      ownSid = self.sid
      mayWrite = self.mayWrite
      members.setSelf(self.identity)
      transports.setIceServers(iceServers)
      call.admit()
      for (const member of others) apply(member, ownSid)
      subscribe()
      if (call.joinRequest.chat !== undefined && mayWrite) transports.startPublishing()
    },
    resumed() {
      connection.send(clientSignals.syncState([...subscribed]))
      transports.restartPublishing()
    },
    offer: ({ sdp, id }) => transports.takeOffer(sdp, id),
    answer: ({ sdp }) => transports.takeAnswer(sdp),
    candidate: ({ target, candidate }) => transports.takeCandidate(target, candidate),
    members({ members: changed }) {
      for (const member of changed) apply(member, ownSid)
      subscribe()
    },
    leave: ({ reason, action }) => readLeave(reason, action),
    // The connection keeps it for a resume.
    'new token': () => undefined,
  }
  function read<Type extends ServerSignal['type']>(signal: SignalOf<Type>): void {
    const reader: (signal: SignalOf<Type>) => void = readers[signal.type]
    reader(signal)
  }

  return {
    sources: {
      ...transports.sources,
      isAnyConnected: () => transports.sources.isAnyConnected() && !isAllEncrypted(),
      areAllFailed: () => transports.sources.areAllFailed() || isAllEncrypted(),
    },
    describeSoundProblem: () => (isAllEncrypted() ? ENCRYPTED : targets.describeProblem()),
    chatPoster: () =>
      mayWrite ? (text) => transports.publish(encodeChatPackets(text, Date.now())) : null,
    chatUnavailable: CHAT_UNAVAILABLE,
    findVoice({ streamId }) {
      // The server names a stream by the stay of its participant and the track.
      const sid = streamId.split('|', 1)[0] ?? ''
      const stay = stays.get(sid)
      if (stay === undefined) return null
      const keys = voicesOfStays.get(sid) ?? new Set()
      voicesOfStays.set(sid, keys)
      if (keys.has(streamId)) return streamId
      if (voiceCount >= MAX_VOICES) return null
      voiceCount += 1
      keys.add(streamId)
      call.setSpeaker(streamId, { participantId: sid, name: stay.name })
      return streamId
    },
    readPage(message) {
      switch (message.kind) {
        case 'candidate':
          return transports.sendCandidate(message.connectionId, message.candidate)
        case 'state':
          return transports.setState(message.connectionId, message.state)
        case 'data':
          for (const text of chat.read(message.data)) call.readChat(text, timers.now())
      }
    },
    leave: () => connection.send(clientSignals.leave()),
    lostSinceMs() {
      const since = transports.silentSince()
      return since === null ? 0 : Math.max(0, timers.now() - since)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
