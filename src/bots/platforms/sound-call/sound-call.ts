import { createPageTimeConverter } from '../bridge/bridge.ts'
import { createScriptProblemReporter } from '../page-session/page-errors.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import type { ChatPoster } from './call-chat.ts'
import { createCallChat } from './call-chat.ts'
import { createCallMembers } from './members.ts'
import type { CallSessionOptions } from './run-session.ts'
import { createSoundMonitor, type SoundSources } from './sound-monitor.ts'
import type { SoundPage, SoundPageMessage } from './sound-page.ts'
import type { Speaker } from './voices.ts'

/** What a protocol needs of the session it runs in. It reports everything through these functions. */
export type CallContext = CallSessionOptions & {
  page: SoundPage
  members: ReturnType<typeof createCallMembers>
  /** The bot is in the call. */
  admit(): void
  isAdmitted(): boolean
  /** Messages of participants to all. */
  readChat: ReturnType<typeof createCallChat>['read']
  /** `key` is unique in the session. Each voice is the sound of one participant. */
  setSpeaker(key: string, speaker: Speaker): void
  endVoice(key: string): void
  end(end: SessionEnd): void
  fail(step: string, error: unknown): void
  /** An error in a callback would end the process. This ends only the session. */
  guarded<Values extends unknown[]>(
    step: string,
    act: (...values: Values) => void,
  ): (...values: Values) => void
}

/** The bot in a call, by the protocol of its server. */
export type CallProtocol = AsyncDisposable & {
  sources: SoundSources
  /** Why sound does not arrive, and what to do. */
  describeSoundProblem(): string
  chatPoster(): ChatPoster
  /** Describes a chat in which the bot may not write. */
  chatUnavailable: string
  /** The key of the voice that is heard there; null if it is not heard. */
  findVoice(place: { connectionId: string; streamId: string }): string | null
  readPage(message: ProtocolMessage): void
  /** Tells the server that the bot leaves. */
  leave(): void
  /** Since when the lost connection was silent. */
  lostSinceMs(): number
}

/** What the page reports about connections. */
export type ProtocolMessage = Exclude<SoundPageMessage, { kind: 'sound' | 'error' }>

type Base = Omit<
  CallContext,
  'members' | 'admit' | 'isAdmitted' | 'readChat' | 'setSpeaker' | 'endVoice'
>

/** The part of a call that all protocols share: members, chat, voices, and whether sound arrives. */
export function openSoundCall(base: Base, open: (context: CallContext) => CallProtocol) {
  const { platform, voices, timers, emit, idPrefix } = base
  const members = createCallMembers(timers.now)
  const clock = createPageTimeConverter()
  const voiceOf = (key: string) => `${idPrefix}/${key}`
  let isAdmitted = false
  const protocol = open({
    ...base,
    members,
    admit() {
      if (isAdmitted) return
      isAdmitted = true
      emit({ kind: 'admitted' })
      chat.start(timers.now())
      monitor.start(timers.now())
    },
    isAdmitted: () => isAdmitted,
    readChat: (message, now) => chat.read(message, now),
    setSpeaker: (key, speaker) => voices.setSpeaker(voiceOf(key), speaker),
    endVoice: (key) => voices.endVoice(voiceOf(key)),
  })
  const chat = createCallChat({ ...base, members, unavailable: protocol.chatUnavailable })
  const monitor = createSoundMonitor({
    ...base,
    sources: protocol.sources,
    describeProblem: protocol.describeSoundProblem,
  })
  const reportProblem = createScriptProblemReporter(base.log, () => ({
    platform: platform.name,
    sessionId: idPrefix,
  }))

  return {
    readPage(message: SoundPageMessage, sentAt: number) {
      if (message.kind === 'error') return reportProblem(message.text)
      if (message.kind !== 'sound') return protocol.readPage(message)
      const key = protocol.findVoice(message)
      if (key === null) return
      const startsAt = clock.toLocalTime(sentAt, timers.now()) - message.ageMs
      if (message.samples.length > 0) voices.addSound(voiceOf(key), message.samples, startsAt)
      if (message.isEnd) voices.endVoice(voiceOf(key))
    },
    /** Reports changes and posts the bot's messages. Called several times a second. */
    tick() {
      if (!isAdmitted) return
      for (const people of members.takeSnapshots()) emit({ kind: 'people', people })
      chat.update(timers.now(), protocol.chatPoster())
      monitor.check(timers.now())
    },
    /** Reports a lost call, or leaves it. */
    finish(result: SessionEnd) {
      if (result.kind !== 'again') protocol.leave()
      else if (isAdmitted)
        emit({ kind: 'call lost', detail: result.why, sinceMs: protocol.lostSinceMs() })
    },
    [Symbol.asyncDispose]: () => protocol[Symbol.asyncDispose](),
  }
}
