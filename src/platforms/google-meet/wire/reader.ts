import type { Heard } from '../../bridge/messages.ts'
import type { Wanted } from '../../bridge/scripts.ts'
import type { WireNews, WireReader } from '../../visit/page-platform.ts'
import type { WirePerson } from '../../wire/facts.ts'
import { createWirePeople } from '../../wire/people.ts'
import type { Reading } from '../../wire/reading.ts'
import { readCaptions, readCaptionsV2 } from './captions.ts'
import { readCollections, readEverybody } from './roster.ts'
import { readOwnDevice } from './session.ts'

export const GOOGLE_MEET_WANTED: Wanted = {
  hosts: ['meet.google.com'],
  channels: ['captions', 'captions_v2', 'collections'],
  sockets: [],
  calls: ['SyncMeetingSpaceCollections', 'CreateMeetingDevice'],
}

const UNREAD: WireNews = { isUnread: true }

/** The page's own client acknowledges what it gets; we only listen. */
export function createGoogleMeetWire(): WireReader {
  const people = createWirePeople()

  function roster(reading: Reading<WirePerson[]>, isEverybody: boolean): WireNews {
    if (!reading.isRead) return UNREAD
    if (isEverybody) people.replace(reading.value)
    else people.change(reading.value)
    const isRemoved = people.ownPresence() === 'removed'
    return { hasRoster: reading.value.length > 0, ...(isRemoved && { end: 'removed' }) }
  }
  function ownDevice(body: string): WireNews {
    const reading = readOwnDevice(body)
    if (!reading.isRead) return UNREAD
    people.setSelf(reading.value.deviceId)
    return { isSuspected: reading.value.isSuspected }
  }
  const readers: Readonly<Record<string, (data: { text: string; bytes: Uint8Array }) => WireNews>> =
    {
      captions({ bytes }) {
        const reading = readCaptions(bytes)
        return reading.isRead ? { captions: reading.value } : UNREAD
      },
      captions_v2({ bytes }) {
        const reading = readCaptionsV2(bytes)
        return reading.isRead ? { captions: reading.value.captions } : UNREAD
      },
      collections: ({ bytes }) => roster(readCollections(bytes), false),
      SyncMeetingSpaceCollections: ({ text }) => roster(readEverybody(text), true),
      CreateMeetingDevice: ({ text }) => ownDevice(text),
    }

  return {
    people,
    hear({ name, data }: Heard) {
      const isText = typeof data === 'string'
      const text = isText ? data : Buffer.from(data).toString('latin1')
      const bytes = isText ? Buffer.from(data, 'latin1') : data
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined
      return read?.({ text, bytes }) ?? {}
    },
  }
}
