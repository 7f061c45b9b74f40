import { setNewest } from '../../../lib/newest-entries.ts'
import { createPageTimeConverter } from '../bridge/bridge.ts'
import { createChatMerger } from '../chat.ts'
import { createScriptProblemReporter } from '../page-session/page-errors.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import type { JoinRequest, PlatformEvent, Participant } from '../platform.ts'
import { createWireRoster } from '../wire/wire-roster.ts'
import type { SoundPageMessage, SoundPage } from './media/sound-page.ts'
import { createSoundMonitor, createStreams } from './media/streams.ts'
import { createMembership, describeKick } from './membership.ts'
import type { GaleneConnection } from './protocol/connection.ts'
import type { MessageOfType, ServerMessage } from './protocol/messages.ts'
import type { GaleneSessionOptions } from './run-session.ts'

/** The bot in a group, over one connection to the server. */
export type GroupCall = ReturnType<typeof openGroupCall>

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

/** Longer messages are cut. */
const MAX_POST_CHARS = 2_000

/** The members of the group, without the bot. */
type GroupMembers = ReturnType<typeof createGroupMembers>

/** Galène's own page uses the same name for a participant without one. */
const NO_NAME = '(anon)'

/** A reloaded page joins as a new participant with the same name, usually within seconds. */
const RETURN_MS = 60_000
const MAX_RETURNED = 1_000

type Options = {
  joinRequest: JoinRequest
  members: GroupMembers
  idPrefix: string
  emit(event: PlatformEvent): void
}

export function openGroupCall(options: GroupCallOptions) {
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
    readPage(message: SoundPageMessage, sentAt: number) {
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
    /** Reports changes and posts the bot's messages. Called several times a second. */
    tick() {
      if (!membership.isAdmitted()) return
      for (const people of members.takeSnapshots()) emit({ kind: 'people', people })
      chat.update(timers.now(), membership.chatPoster())
      monitor.check(timers.now())
    },
    /** Reports a lost call, or leaves the group. The call was lost `sinceMs` ago. */
    finish(result: SessionEnd, sinceMs: number) {
      if (result.kind !== 'again') membership.leave()
      else if (membership.isAdmitted()) emit({ kind: 'call lost', detail: result.why, sinceMs })
    },
    [Symbol.dispose]() {
      membership[Symbol.dispose]()
      streams[Symbol.dispose]()
    },
  }
}

/** The chat of a group. Private messages and messages from before the bot joined are not read. */
function createGroupChat({ joinRequest, members, idPrefix, emit }: Options) {
  const { chat, displayName: ownName } = joinRequest
  const merger = createChatMerger({ roster: members.roster, ownName, idPrefix })

  function postNext(post: ((text: string) => void) | null): void {
    const text = chat?.outbox.first()?.slice(0, MAX_POST_CHARS)
    if (text === undefined) return
    if (post === null)
      emit({
        kind: 'chat unavailable',
        detail: 'The bot may not write in the chat of this Galène group (permission “message”)',
      })
    else {
      merger.addOwnText(text)
      post(text)
    }
    chat?.outbox.removeFirst()
  }

  return {
    start: merger.start,
    read({ kind, id, dest, source, username, value }: MessageOfType<'chat'>, now: number) {
      // Captions that a member types are left out, because speech recognition hears the same words.
      if (chat?.isRead !== true || kind === 'caption' || dest !== '' || value === '') return
      const message = { messageId: id, authorId: source, authorName: username, text: value }
      merger.addWireMessages([message], now)
    },
    /** Reports new messages, and posts the bot's next message with `post`; null if the bot may not post. */
    update(now: number, post: ((text: string) => void) | null) {
      const messages = merger.take(now)
      if (messages.length > 0) emit({ kind: 'chat', messages })
      postNext(post)
    },
  }
}

export function createGroupMembers(ownId: string, now: () => number) {
  const roster = createWireRoster()
  /** The participant who last left, for each name. */
  const left = new Map<string, { id: string; at: number }>()
  /** The first id of each participant who came back under another id. */
  const firstIds = new Map<string, string>()
  const idOf = (id: string) => firstIds.get(id) ?? id
  const noteReturn = (id: string, name: string) => {
    const before = left.get(name)
    if (before === undefined || firstIds.has(id) || now() - before.at > RETURN_MS) return
    left.delete(name)
    if (before.id !== id) setNewest(firstIds, id, before.id, MAX_RETURNED)
  }
  roster.setSelf(ownId)
  let isChanged = false
  return {
    roster: {
      nameOf: (id: string) => roster.nameOf(idOf(id)),
      isSelf: (id: string) => roster.isSelf(idOf(id)),
    },
    apply({ kind, id, username, permissions }: MessageOfType<'user'>) {
      isChanged = true
      if (kind === 'add' && username !== '') noteReturn(id, username)
      if (kind === 'delete') {
        const name = username || roster.nameOf(idOf(id))
        if (name && name !== NO_NAME)
          setNewest(left, name, { id: idOf(id), at: now() }, MAX_RETURNED)
      }
      roster.applyChanges([
        {
          id: idOf(id),
          presence: kind === 'delete' ? 'gone' : 'here',
          name: username || NO_NAME,
          isHost: permissions?.includes('op') ?? false,
        },
      ])
    },
    /** The member lists since the last call, oldest first; empty if nothing has changed. */
    takeSnapshots(): Participant[][] {
      if (!isChanged) return []
      isChanged = false
      return roster.takeSnapshots()
    },
  }
}
