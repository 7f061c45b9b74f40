import { createScriptProblemReporter } from '../attendance/script-problems.ts'
import { createPageTimeConverter } from '../bridge/page-clock.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import { createGroupChat } from './group-chat.ts'
import { createGroupMembers, NO_NAME } from './group-members.ts'
import { createMembership } from './membership.ts'
import { createSoundMonitor } from './media/sound-monitor.ts'
import type { SoundPageMessage } from './media/page-messages.ts'
import type { SoundPage } from './media/sound-page.ts'
import { createStreams } from './media/streams.ts'
import type { GaleneConnection } from './protocol/connection.ts'
import type { MessageOfType, ServerMessage } from './protocol/messages.ts'
import { describeKick } from './protocol/refusals.ts'
import type { GaleneSessionOptions } from './run-session.ts'

/** The bot in a group, over one connection to the server. */
export interface GroupCall extends Disposable {
  join(): void
  read(message: ServerMessage): void
  readPage(message: SoundPageMessage, sentAt: number): void
  /** Reports what has changed and posts messages of the bot. Called several times in a second. */
  tick(): void
  /** Reports a lost call, or leaves the group. `sinceMs` says how long ago the call was lost. */
  finish(end: SessionEnd, sinceMs: number): void
}

export type GroupCallOptions = GaleneSessionOptions & {
  /** The host name of the server that the bot is connected to. */
  server: string
  /** The bot's id in the group. */
  ownId: string
  page: SoundPage
  connection: GaleneConnection
  end(end: SessionEnd): void
  fail(step: string, error: unknown): void
}

type MessageReaders = {
  [Type in ServerMessage['type']]: (message: MessageOfType<Type>) => void
}

export function openGroupCall(options: GroupCallOptions): GroupCall {
  const { voices, timers, emit, connection, end, idPrefix } = options
  const members = createGroupMembers(options.ownId, timers.now)
  const chat = createGroupChat({ ...options, members })
  const clock = createPageTimeConverter()
  const voiceOf = (streamKey: string) => `${idPrefix}/${streamKey}`
  const streams = createStreams({
    page: options.page,
    timers,
    send: connection.send,
    iceServers: async () => (await membership.turnServers()).iceServers,
    onClosed: (key) => voices.endVoice(voiceOf(key)),
    onError: (error) => options.fail('receive stream', error),
  })
  const monitor = createSoundMonitor({ ...options, streams })
  const membership = createMembership({
    ...options,
    onAdmitted() {
      emit({ kind: 'admitted' })
      chat.start(timers.now())
      monitor.start(timers.now())
      connection.send({ type: 'request', request: { '': ['audio'] } })
    },
    onTurnServers(servers) {
      servers.targets.forEach(options.allowTarget)
      monitor.setTurnServers(servers)
    },
  })
  const reportProblem = createScriptProblemReporter(options.log, () => ({
    platform: 'galene',
    sessionId: idPrefix,
  }))

  function readOffer(message: MessageOfType<'offer'>): void {
    const key = streams.takeOffer(message)
    if (key === null) return
    const name = members.roster.nameOf(message.source) ?? (message.username || NO_NAME)
    voices.setSpeaker(voiceOf(key), { participantId: message.source, name })
  }
  const inCall =
    <Message>(act: (message: Message) => void) =>
    (message: Message): void => {
      if (membership.isAdmitted()) act(message)
    }
  const readers: MessageReaders = {
    ping: () => undefined,
    pong: () => undefined,
    joined: membership.read,
    user(message) {
      members.apply(message)
      if (message.kind !== 'delete') voices.rename(message.id, message.username || NO_NAME)
    },
    offer: inCall(readOffer),
    ice: inCall(streams.takeCandidate),
    close: inCall(({ id }) => streams.close(id)),
    chat: inCall((message) => chat.read(message, timers.now())),
    usermessage({ kind, privileged, value }) {
      // A participant can send such a message too, but only the server and operators are privileged.
      if (kind === 'kicked' && privileged) end(describeKick(value))
    },
  }

  return {
    join: membership.askToJoin,
    read<Type extends ServerMessage['type']>(message: MessageOfType<Type>) {
      const read: (message: MessageOfType<Type>) => void = readers[message.type]
      read(message)
    },
    readPage(message, sentAt) {
      switch (message.kind) {
        case 'sound': {
          const voice = voiceOf(message.streamId)
          const startsAt = clock.toLocalTime(sentAt, timers.now()) - message.ageMs
          if (message.samples.length > 0) voices.addSound(voice, message.samples, startsAt)
          if (message.isEnd) voices.endVoice(voice)
          return
        }
        case 'candidate':
          return streams.sendCandidate(message.streamId, message.candidate)
        case 'state':
          return streams.setState(message.streamId, message.state)
        case 'error':
          return reportProblem(message.text)
      }
    },
    tick() {
      if (!membership.isAdmitted()) return
      for (const people of members.takeSnapshots()) emit({ kind: 'people', people })
      chat.update(timers.now(), membership.chatPoster())
      monitor.check(timers.now())
    },
    finish(result, sinceMs) {
      if (result.kind !== 'again') membership.leave()
      else if (membership.isAdmitted()) emit({ kind: 'call lost', detail: result.why, sinceMs })
    },
    [Symbol.dispose]() {
      membership[Symbol.dispose]()
      streams[Symbol.dispose]()
    },
  }
}
