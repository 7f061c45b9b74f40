import {
  captionMessage,
  captionV2Message,
  collectionsMessage,
  readAcknowledgement,
  readLanguageRequest,
  sessionAcknowledgement,
  type WireCaption,
  type WireUser,
} from '../../wire/google-meet.ts'
import type { StagedParticipant } from '../page-protocol.ts'
import type { ConnectedPage } from '../connected-page.ts'
import type { Knobs } from '../knobs.ts'
import type { PlatformWire } from './platform-wire.ts'

/** A message of `captions_v2` is repeated so often at most, until it is acknowledged. */
const MAX_REPEATS = 3

/** The data channels of Google Meet. */
export function createStagedMeetWire(knobs: Knobs): PlatformWire {
  const waiting = new Map<string, NodeJS.Timeout>()
  const numbers = new Map<string, { id: number; version: number }>()
  let events = 0

  function sendTo(
    guest: ConnectedPage,
    label: string,
    bytes: Uint8Array,
    sent?: (key: string) => void,
  ): void {
    for (const [channel, itsLabel] of guest.channels) {
      if (itsLabel !== label) continue
      guest.send({ kind: 'bytes', channel, base64: Buffer.from(bytes).toString('base64') })
      sent?.(channel)
    }
  }
  function collections(
    guest: ConnectedPage,
    change: Omit<Parameters<typeof collectionsMessage>[0], 'eventNumber'>,
  ): void {
    sendTo(guest, 'collections', collectionsMessage({ eventNumber: ++events, ...change }))
  }
  function sendV2(guest: ConnectedPage, caption: WireCaption): void {
    const bytes = captionV2Message(caption, knobs.v2Wrappers)
    sendTo(guest, 'captions_v2', bytes, (channel) => {
      const key = repeatKey(guest, channel, caption.utteranceId, caption.version)
      let left = MAX_REPEATS
      const again = (): void => {
        guest.send({ kind: 'bytes', channel, base64: Buffer.from(bytes).toString('base64') })
        if (--left === 0) stop(key)
      }
      waiting.set(key, setInterval(again, knobs.repeatAfterMs).unref())
    })
  }
  function stop(key: string): void {
    clearInterval(waiting.get(key))
    waiting.delete(key)
  }

  return {
    channelOpened(guest, label, people) {
      if (label !== 'collections' || !knobs.hasRoster) return
      // One message a person: some readers take only the first of a message.
      for (const player of people) {
        const streams = [{ streamId: player.sourceId, deviceId: player.deviceId }]
        collections(guest, { users: [wireUser(player, 'inCall')], streams })
      }
    },
    pageEntered() {},
    participantsChanged(guest, { came, went }) {
      if (!knobs.hasRoster) return
      for (const player of came) collections(guest, { users: [wireUser(player, 'inCall')] })
      for (const player of went) collections(guest, { users: [wireUser(player, 'gone')] })
    },
    sendCaption(guests, { captionId, speaker, text, isFinal }) {
      const number = numbers.get(captionId) ?? { id: numbers.size + 1, version: 0 }
      number.version += 1
      numbers.set(captionId, number)
      for (const guest of guests) {
        const caption = {
          deviceId: speaker.deviceId,
          utteranceId: number.id,
          version: number.version,
          text,
          language: guest.language ?? knobs.captionLanguage,
          isFinal,
        }
        sendTo(guest, 'captions', captionMessage(caption))
        sendV2(guest, caption)
      }
    },
    sendChat(guest, { from, text, messageId }) {
      const chat = { messageId, deviceId: from.deviceId, atMs: Date.now(), text }
      collections(guest, { chats: [chat] })
    },
    endCall(guest, screen) {
      if (screen === 'removed')
        collections(guest, { users: [wireUser(guest.participant, 'removed')] })
    },
    bytesReceived(guest, channel, bytes) {
      const acknowledged = readAcknowledgement(bytes)
      if (acknowledged) stop(repeatKey(guest, channel, acknowledged.id, acknowledged.version))
      const wish =
        guest.channels.get(channel) === 'media-session' ? readLanguageRequest(bytes) : null
      if (wish === null) return
      guest.language = wish.language
      sendTo(guest, 'media-session', sessionAcknowledgement(wish.operation))
    },
    close() {
      for (const key of waiting.keys()) stop(key)
    },
  }
}

function repeatKey(guest: ConnectedPage, channel: string, id: number, version: number): string {
  return [guest.id, channel, id, version].join(' ')
}

export function wireUser(player: StagedParticipant, status: WireUser['status']): WireUser {
  const { deviceId, name, isSelf, isHost } = player
  const avatar = `https://lh3.googleusercontent.com/a/${encodeURIComponent(player.id)}`
  return { deviceId, name, avatar, status, isSelf, isHost }
}
