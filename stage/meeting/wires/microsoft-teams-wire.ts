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
import { captionLanguages, type PlatformWire } from './platform-wire.ts'

const STREAM_ID = '7dec128d-711a-4dca-9539-14bda6fac3f8'
const NAMELESS: RosterPerson = {
  mri: NAMELESS_MRI,
  name: '',
  isHost: false,
  isPresent: true,
  sourceId: 999,
}

/** End screens that the socket announces, each with the platform's code. */
const END_FRAMES: Partial<Record<Screen, { subCode?: number; hasSender?: true }>> = {
  ended: {},
  denied: { subCode: SUB_CODES.denied, hasSender: true },
  removed: { subCode: SUB_CODES.removed, hasSender: true },
  'sign-in': { subCode: SUB_CODES.signIn },
}

/** Sends the messages of Microsoft Teams' data channel and socket. */
export function createStagedTeamsWire(
  knobs: Knobs,
  callId: string,
  host: () => StagedParticipant | undefined,
): PlatformWire {
  const started = new Map<string, number>()
  let messages = 0
  let speakers: number[] = []

  function send(page: ConnectedPage, bytes: Uint8Array): void {
    for (const [channel, label] of page.channels) {
      if (label !== 'main-channel') continue
      page.send({ kind: 'bytes', channel, base64: Buffer.from(bytes).toString('base64') })
    }
  }
  function sendFrame(page: ConnectedPage, frame: string): void {
    for (const socket of page.sockets) socket.send(frame)
  }

  return {
    channelOpened() {},
    pageEntered(page, people) {
      if (!knobs.hasRoster) return
      const roster = people.map((participant) => toRosterPerson(participant, true))
      sendFrame(page, rosterFrame(callId, [NAMELESS, ...roster]))
    },
    participantsChanged(page, { came, went }) {
      const changed = [
        ...came.map((participant) => toRosterPerson(participant, true)),
        ...went.map((participant) => toRosterPerson(participant, false)),
      ]
      if (knobs.hasRoster && changed.length > 0) sendFrame(page, rosterFrame(callId, changed))
    },
    sendCaption(pages, { captionId, speaker, text, isFinal }) {
      if (knobs.wires.length === 0) return
      const startedAtMs = started.get(captionId) ?? Date.now()
      started.set(captionId, startedAtMs)
      messages += 1
      const isNewSpeaker = speakers[0] !== speaker.sourceId
      speakers = [speaker.sourceId, ...speakers.filter((id) => id !== speaker.sourceId)]
      for (const page of pages) {
        if (isNewSpeaker) send(page, speakersMessage(speakers))
        const recognition = {
          mri: speaker.mri,
          name: speaker.name,
          streamId: STREAM_ID,
          count: messages,
          text,
          isFinal,
          ...captionLanguages(page, knobs),
          startedAtMs,
          durationMs: Date.now() - startedAtMs,
        }
        send(page, recognitionMessage(recognition))
      }
    },
    sendChat() {},
    endCall(page, screen) {
      const end = END_FRAMES[screen]
      if (end === undefined) return
      const { subCode, hasSender } = end
      const sender = hasSender ? host() : undefined
      sendFrame(
        page,
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
  isPresent: boolean,
): RosterPerson {
  return { mri, name, isHost, isPresent, sourceId }
}
