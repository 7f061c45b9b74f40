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
import { captionLanguages, type PlatformWire } from './platform-wire.ts'

/** How often an unacknowledged `captions_v2` message is sent again. */
const MAX_REPEATS = 3

/** Sends the messages of Google Meet's data channels. */
export function createStagedMeetWire(knobs: Knobs): PlatformWire {
  const repeats = new Map<string, NodeJS.Timeout>()
  const versions = new Map<string, { id: number; version: number }>()
  let events = 0

  function sendTo(
    page: ConnectedPage,
    label: string,
    bytes: Uint8Array,
    onSent?: (channel: string) => void,
  ): void {
    for (const [channel, openLabel] of page.channels) {
      if (openLabel !== label) continue
      page.send({ kind: 'bytes', channel, base64: Buffer.from(bytes).toString('base64') })
      onSent?.(channel)
    }
  }
  function collections(
    page: ConnectedPage,
    change: Omit<Parameters<typeof collectionsMessage>[0], 'eventNumber'>,
  ): void {
    sendTo(page, 'collections', collectionsMessage({ eventNumber: ++events, ...change }))
  }
  /** Announces a participant and the contributing source of its sound. */
  function announce(page: ConnectedPage, participant: StagedParticipant): void {
    const streams = [{ streamId: participant.sourceId, deviceId: participant.deviceId }]
    collections(page, { users: [wireUser(participant, 'inCall')], streams })
  }
  function sendV2(page: ConnectedPage, caption: WireCaption): void {
    const bytes = captionV2Message(caption, knobs.v2Wrappers)
    sendTo(page, 'captions_v2', bytes, (channel) => {
      const key = repeatKey(page, channel, caption.utteranceId, caption.version)
      let left = MAX_REPEATS
      const again = (): void => {
        page.send({ kind: 'bytes', channel, base64: Buffer.from(bytes).toString('base64') })
        if (--left === 0) stop(key)
      }
      repeats.set(key, setInterval(again, knobs.repeatAfterMs).unref())
    })
  }
  function stop(key: string): void {
    clearInterval(repeats.get(key))
    repeats.delete(key)
  }

  return {
    channelOpened(page, label, people) {
      if (label !== 'collections' || !knobs.hasRoster) return
      // One message per participant, because some readers take only the first one of a message.
      for (const participant of people) announce(page, participant)
    },
    pageEntered() {},
    participantsChanged(page, { came, went }) {
      if (!knobs.hasRoster) return
      for (const participant of came) announce(page, participant)
      for (const participant of went) collections(page, { users: [wireUser(participant, 'gone')] })
    },
    sendCaption(pages, { captionId, speaker, text, isFinal }) {
      const number = versions.get(captionId) ?? { id: versions.size + 1, version: 0 }
      number.version += 1
      versions.set(captionId, number)
      for (const page of pages) {
        const caption = {
          deviceId: speaker.deviceId,
          utteranceId: number.id,
          version: number.version,
          text,
          ...captionLanguages(page, knobs),
          isFinal,
        }
        sendTo(page, 'captions', captionMessage(caption))
        sendV2(page, caption)
      }
    },
    sendChat(page, { from, text, messageId }) {
      const chat = { messageId, deviceId: from.deviceId, atMs: Date.now(), text }
      collections(page, { chats: [chat] })
    },
    endCall(page, screen) {
      if (screen === 'removed')
        collections(page, { users: [wireUser(page.participant, 'removed')] })
    },
    bytesReceived(page, channel, bytes) {
      const acknowledged = readAcknowledgement(bytes)
      if (acknowledged) stop(repeatKey(page, channel, acknowledged.id, acknowledged.version))
      const request =
        page.channels.get(channel) === 'media-session' ? readLanguageRequest(bytes) : null
      if (request === null) return
      page.language = request.language
      sendTo(page, 'media-session', sessionAcknowledgement(request.operation))
    },
    close() {
      for (const key of repeats.keys()) stop(key)
    },
  }
}

function repeatKey(page: ConnectedPage, channel: string, id: number, version: number): string {
  return [page.id, channel, id, version].join(' ')
}

export function wireUser(participant: StagedParticipant, status: WireUser['status']): WireUser {
  const { deviceId, name, isSelf, isHost } = participant
  const avatar = `https://lh3.googleusercontent.com/a/${encodeURIComponent(participant.id)}`
  return { deviceId, name, avatar, status, isSelf, isHost }
}
