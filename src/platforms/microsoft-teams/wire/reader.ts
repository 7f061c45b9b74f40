import type { Heard } from '../../bridge/messages.ts'
import type { Wanted } from '../../bridge/scripts.ts'
import type { Visit } from '../../platform.ts'
import type { WireNews, WireReader } from '../../visit/page-platform.ts'
import { createWirePeople } from '../../wire/people.ts'
import { readFrame, reasonOfEnd } from './frames.ts'
import { readMainChannel } from './main-channel.ts'
import { createUtterances } from './utterances.ts'

export const MICROSOFT_TEAMS_WANTED: Wanted = {
  hosts: ['teams.microsoft.com', 'teams.live.com', 'teams.cloud.microsoft', 'teams.microsoft.us'],
  channels: ['main-channel'],
  sockets: [
    'teams.microsoft.com',
    'teams.live.com',
    'teams.cloud.microsoft',
    'teams.microsoft.us',
    'skype.com',
  ],
  calls: [],
}

const UNREAD: WireNews = { isUnread: true }

/** Guests have ids of their own, and which of them we are is not said on the wire. */
const GUEST = /^8:(?:guest|teamsvisitor):/

export function createMicrosoftTeamsWire({ displayName }: Visit): WireReader {
  const people = createWirePeople()
  const utterances = createUtterances()
  /** The call whose roster came first is ours; a page can be told of others. */
  let ownCall: string | null = null

  function channel(bytes: Uint8Array): WireNews {
    const reading = readMainChannel(bytes)
    if (!reading.isRead) return UNREAD
    const captions = reading.value.recognitions.flatMap((one) => utterances.hear(one) ?? [])
    return { captions }
  }
  function socket(text: string): WireNews {
    const reading = readFrame(text)
    if (!reading.isRead) return UNREAD
    const frame = reading.value
    if (frame.kind === 'other') return {}
    if (ownCall !== null && frame.callId !== ownCall) return {}
    if (frame.kind === 'end') return { end: reasonOfEnd(frame.end) }
    ownCall = frame.callId
    people.change(frame.people)
    for (const { id, name } of frame.people) {
      if (name === displayName && GUEST.test(id)) people.setSelf(id)
    }
    return { hasRoster: true }
  }

  return {
    people,
    hear({ via, data }: Heard) {
      if (via === 'channel') return channel(typeof data === 'string' ? Buffer.from(data) : data)
      return socket(typeof data === 'string' ? data : Buffer.from(data).toString())
    },
  }
}
