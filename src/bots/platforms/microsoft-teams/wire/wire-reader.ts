import type { TrafficFilter } from '../../bridge/build-scripts.ts'
import type { ReceivedTrafficMessage } from '../../bridge/messages.ts'
import type { JoinRequest } from '../../platform.ts'
import { createSourceSpeakers, createWireRoster } from '../../wire/wire-roster.ts'
import type { WireUpdate, WireReader } from '../../wire/wire-types.ts'
import { decodeChatEvent } from './decode-chat.ts'
import { decodeMainChannelMessage, createUtteranceTracker } from './main-channel.ts'
import { decodeSocketFrame, toEndReasonOrHostEnded } from './socket-frames.ts'
import { TEAMS_HOSTS } from '../../platform-info.ts'

export const MICROSOFT_TEAMS_TRAFFIC_FILTER: TrafficFilter = {
  hosts: TEAMS_HOSTS,
  channels: ['main-channel'],
  sockets: [...TEAMS_HOSTS, 'skype.com'],
  calls: [],
  callbacks: ['onMessageReceived'],
}

const UNDECODED: WireUpdate = { isUndecoded: true }

/** Ids of guests. The wire does not say which guest is the bot. */
const GUEST = /^8:(?:guest|teamsvisitor):/

export function createMicrosoftTeamsWireReader({ displayName }: JoinRequest): WireReader {
  const participants = createWireRoster(({ id, name }) => name === displayName && GUEST.test(id))
  const sourceSpeakers = createSourceSpeakers()
  const utterances = createUtteranceTracker()
  /** A page also gets messages of other calls. The bot's call is the one whose roster arrived first. */
  let ownCall: string | null = null

  function channel(bytes: Uint8Array): WireUpdate {
    const decoded = decodeMainChannelMessage(bytes)
    if (!decoded.isDecoded) return UNDECODED
    const captions = decoded.value.recognitions.flatMap((one) => utterances.track(one) ?? [])
    return { captions }
  }
  function socket(text: string): WireUpdate {
    const decoded = decodeSocketFrame(text)
    if (!decoded.isDecoded) return UNDECODED
    const frame = decoded.value
    if (frame.kind === 'other') return {}
    if (ownCall !== null && frame.callId !== ownCall) return {}
    if (frame.kind === 'end') return { endReason: toEndReasonOrHostEnded(frame.end) }
    ownCall = frame.callId
    participants.applyChanges(frame.people)
    for (const { id, audioSources } of frame.people)
      if (audioSources !== undefined) sourceSpeakers.replaceSourcesOf(id, audioSources)
    return { hasRoster: true }
  }

  function chat(text: string): WireUpdate {
    const decoded = decodeChatEvent(text)
    return decoded.isDecoded ? { chat: decoded.value } : UNDECODED
  }

  return {
    roster: participants,
    speakerIdOfSource: sourceSpeakers.speakerIdOf,
    read({ via, data }: ReceivedTrafficMessage) {
      if (via === 'callback') return chat(typeof data === 'string' ? data : '')
      if (via === 'channel') return channel(typeof data === 'string' ? Buffer.from(data) : data)
      return socket(typeof data === 'string' ? data : Buffer.from(data).toString())
    },
  }
}
