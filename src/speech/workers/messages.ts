import type { SoundChunk } from '../cutting/sound.ts'

/** Names a voice of a session in messages to and from a worker process. */
export type VoiceKey = { session: number; voice: string }

export type MessageToWorker =
  | ({ type: 'sound' } & VoiceKey & SoundChunk)
  /** The voice is silent from now on. */
  | ({ type: 'end' } & VoiceKey)
  | { type: 'close'; session: number }

export type MessageFromWorker =
  | { type: 'ready' }
  /** The runtime or the weights cannot be used. The process ends afterwards. */
  | { type: 'unusable'; reason: string }
  /** Sent before a recognition, so that the service knows on which sound a process ended or hangs. */
  | ({ type: 'recognizing'; from: number; to: number } & VoiceKey)
  | ({ type: 'heard' } & VoiceKey & HeardSound)

/** One message confirms sound and carries its text, so that no utterance is lost or doubled when a process ends. */
export type HeardSound = {
  /** The process has heard the voice up to this position. */
  heardTo: number
  /** Sound before this position is not needed any more. */
  keepFrom: number
  isInUtterance: boolean
  /** The process has handled `end` and forgotten the voice. */
  hasEnded: boolean
  utterances: RecognizedSound[]
}

export type RecognizedSound = {
  text: string
  startedAt: number
  endedAt: number
  to: number
}
