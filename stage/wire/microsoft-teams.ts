import { gzipSync } from 'node:zlib'

export type Recognition = {
  /** The platform's id of the speaker: `8:orgid:…`, `8:guest:…`. */
  mri: string
  name: string
  /** The id of the recognition stream. The number after the slash counts messages, not utterances. */
  streamId: string
  count: number
  text: string
  isFinal: boolean
  /** The captions' language. `spokenLanguage` differs from it if they are translated. */
  language: string
  spokenLanguage?: string
  startedAtMs: number
  durationMs: number
}

export type RosterPerson = {
  mri: string
  name: string
  isHost: boolean
  isPresent: boolean
  sourceId: number
}

/** The platform's codes for why a conversation ended. Without a code, the meeting is over for all. */
export const SUB_CODES = {
  denied: 5854,
  removed: 5000,
  removedOtherwise: 5300,
  signIn: 5723,
} as const

/** The platform counts steps of 100 ns since 1900. A double represents them to about 1 µs. */
const TICKS_PER_MS = 10_000
const SECONDS_1900_TO_1970 = 2_208_988_800

/** Precedes the JSON of every `main-channel` message. Readers search for the first bracket. */
const PREFIX = Uint8Array.of(0x01, 0x00, 0x02, 0x00)

export function ticksSince1900(unixMs: number): number {
  return (unixMs + SECONDS_1900_TO_1970 * 1_000) * TICKS_PER_MS
}

export function recognitionMessage(recognition: Recognition): Uint8Array {
  const { mri, name, streamId, count, text, isFinal, language, startedAtMs, durationMs } =
    recognition
  return channelMessage({
    version: '1.1',
    recognitionResults: [
      {
        speechRecognitionServiceLatency: 720.7131,
        source: 'Ai',
        duration: durationMs * TICKS_PER_MS,
        userId: mri,
        displayName: name,
        id: `${streamId}/${count}`,
        spokenLanguage: (recognition.spokenLanguage ?? language).toLowerCase(),
        trackLanguage: language.toLowerCase(),
        text,
        isFinal,
        timestampAudioSent: ticksSince1900(startedAtMs),
      },
    ],
  })
}

/** The most recent speakers, newest first. */
export function speakersMessage(sourceIds: readonly number[]): Uint8Array {
  return channelMessage([{ type: 'dsh', history: sourceIds }])
}

function channelMessage(content: unknown): Uint8Array {
  return Buffer.concat([PREFIX, Buffer.from(JSON.stringify(content))])
}

/** A roster change as a socket frame. */
export function rosterFrame(callId: string, people: readonly RosterPerson[]): string {
  const participants = Object.fromEntries(people.map((person) => [person.mri, participant(person)]))
  return frame(
    callId,
    'rosterUpdate/',
    gzipSync(JSON.stringify({ participants })).toString('base64'),
  )
}

export function endFrame(
  callId: string,
  end: { subCode?: number; sender?: { id: string; displayName: string } },
): string {
  return frame(callId, 'conversation/conversationEnd/', JSON.stringify(end))
}

/** Every real roster has an entry without a name, which readers must skip. */
export const NAMELESS_MRI = '28:bot-without-a-name'

function participant({ mri, name, isHost, isPresent, sourceId }: RosterPerson): unknown {
  return {
    details: mri === NAMELESS_MRI ? { id: mri } : { id: mri, displayName: name },
    state: isPresent ? 'active' : 'inactive',
    meetingRole: isHost ? 'organizer' : 'attendee',
    endpoints: {
      [`endpoint-${sourceId}`]: {
        call: {
          mediaStreams: [{ type: 'audio', sourceId, direction: 'sendrecv', label: 'main-audio' }],
        },
      },
    },
  }
}

function frame(callId: string, path: string, body: string): string {
  return `3:::${JSON.stringify({
    id: 1,
    method: 'POST',
    url: `/v4/f/stage/${path}`,
    headers: { 'X-Microsoft-Skype-Chain-ID': callId },
    body,
  })}`
}
