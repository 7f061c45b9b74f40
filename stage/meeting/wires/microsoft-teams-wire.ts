import {
  endFrame,
  NAMELESS_MRI,
  recognitionMessage,
  rosterFrame,
  speakersMessage,
  SUB_CODES,
  type RosterPerson,
} from '../../wire/microsoft-teams.ts'
import type { StagedParticipant, Screen } from '../page-protocol.ts'
import type { ConnectedPage } from '../connected-page.ts'
import type { Knobs } from '../knobs.ts'
import type { PlatformWire } from './platform-wire.ts'

const STREAM_ID = '7dec128d-711a-4dca-9539-14bda6fac3f8'
const NAMELESS: RosterPerson = {
  mri: NAMELESS_MRI,
  name: '',
  isHost: false,
  isPresent: true,
  sourceId: 999,
}

/** Ends that the socket tells, with the platform's number for them. */
const END_FRAMES: Partial<Record<Screen, { subCode?: number; hasSender?: true }>> = {
  ended: {},
  denied: { subCode: SUB_CODES.denied, hasSender: true },
  removed: { subCode: SUB_CODES.removed, hasSender: true },
  'sign-in': { subCode: SUB_CODES.signIn },
}

/** The data channel and the socket of Microsoft Teams. */
export function createStagedTeamsWire(
  knobs: Knobs,
  callId: string,
  host: () => StagedParticipant | undefined,
): PlatformWire {
  const started = new Map<string, number>()
  let messages = 0
  let speakers: number[] = []

  function send(guest: ConnectedPage, bytes: Uint8Array): void {
    for (const [channel, label] of guest.channels) {
      if (label !== 'main-channel') continue
      guest.send({ kind: 'bytes', channel, base64: Buffer.from(bytes).toString('base64') })
    }
  }
  function tell(guest: ConnectedPage, frame: string): void {
    for (const socket of guest.sockets) socket.send(frame)
  }

  return {
    channelOpened() {},
    pageEntered(guest, people) {
      if (!knobs.hasRoster) return
      const everybody = people.map((player) => toRosterPerson(player, true))
      tell(guest, rosterFrame(callId, [NAMELESS, ...everybody]))
    },
    participantsChanged(guest, { came, went }) {
      const changed = [
        ...came.map((player) => toRosterPerson(player, true)),
        ...went.map((player) => toRosterPerson(player, false)),
      ]
      if (knobs.hasRoster && changed.length > 0) tell(guest, rosterFrame(callId, changed))
    },
    sendCaption(guests, { captionId, speaker, text, isFinal }) {
      if (knobs.wires.length === 0) return
      const startedAtMs = started.get(captionId) ?? Date.now()
      started.set(captionId, startedAtMs)
      messages += 1
      const isNewSpeaker = speakers[0] !== speaker.sourceId
      speakers = [speaker.sourceId, ...speakers.filter((id) => id !== speaker.sourceId)]
      for (const guest of guests) {
        if (isNewSpeaker) send(guest, speakersMessage(speakers))
        const recognition = {
          mri: speaker.mri,
          name: speaker.name,
          streamId: STREAM_ID,
          count: messages,
          text,
          isFinal,
          language: guest.language ?? knobs.captionLanguage,
          startedAtMs,
          durationMs: Date.now() - startedAtMs,
        }
        send(guest, recognitionMessage(recognition))
      }
    },
    sendChat() {},
    endCall(guest, screen) {
      const end = END_FRAMES[screen]
      if (end === undefined) return
      const { subCode, hasSender } = end
      const sender = hasSender ? host() : undefined
      tell(
        guest,
        endFrame(callId, {
          ...(subCode !== undefined && { subCode }),
          ...(sender && { sender: { id: sender.mri, displayName: sender.name } }),
        }),
      )
    },
    bytesReceived() {},
    close() {},
  }
}

function toRosterPerson(
  { mri, name, isHost, sourceId }: StagedParticipant,
  isHere: boolean,
): RosterPerson {
  return { mri, name, isHost, isPresent: isHere, sourceId }
}
