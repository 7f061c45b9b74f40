import { setNewest } from '../../../lib/newest-entries.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { PlatformEvent } from '../platform.ts'
import {
  type SpeechRecognition,
  toSpeechLostEvent,
  toUtteranceCaption,
} from '../speech/recognition.ts'

/** The participant of a voice. Each stream is the sound of one participant. */
export type Speaker = { participantId: string; name: string }

/** The voices of the meeting, recognized during the whole visit. All sessions of one visit share it. */
export type Voices = ReturnType<typeof openVoices>

/** Voices whose utterances may still be recognized. The oldest are dropped first. */
const MAX_VOICES = 1_000

type Options = {
  speech: SpeechRecognition
  language: string | null
  idPrefix: string
  timers: Timers
  emit(event: PlatformEvent): void
}

export function openVoices(options: Options) {
  const { speech, language, idPrefix, timers, emit } = options
  const speakers = new Map<string, Speaker>()
  let captions = 0

  const session = speech.openSession({
    language,
    onUtterance(utterance) {
      const speaker = speakers.get(utterance.voice)?.name ?? ''
      captions += 1
      const captionId = `${idPrefix}/speech-${captions}`
      emit({
        kind: 'caption',
        ...toUtteranceCaption(utterance, { captionId, speaker, now: timers.now() }),
      })
    },
    onLoss: (loss) => emit(toSpeechLostEvent(loss, timers.now())),
    onDelay: (behindMs) => emit({ kind: 'speech delay', behindMs }),
  })
  return {
    /** `voice` is unique in the visit. */
    setSpeaker(voice: string, speaker: Speaker) {
      setNewest(speakers, voice, speaker, MAX_VOICES)
    },
    /** Changes a participant's name from now on. */
    rename(participantId: string, name: string) {
      for (const speaker of speakers.values())
        if (speaker.participantId === participantId) speaker.name = name
    },
    addSound(voice: string, samples: Int16Array, startsAt: number) {
      if (speakers.has(voice)) session.addSound({ voice, startsAt, samples })
    },
    endVoice: (voice: string) => session.endVoice(voice),
    /** Recognizes what was heard so far. */
    finish: () => session.finish(),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  }
}
