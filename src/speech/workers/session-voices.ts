import type { SpeechSessionOptions } from '../../bots/platforms/speech/recognition.ts'
import type { Log } from '../../log.ts'
import { cleanRecognizedText } from '../recognized-text.ts'
import { LOSS_REASONS, type LossReport } from '../sessions.ts'
import type { QueueItem, SoundQueue } from './sound-queue.ts'
import { createVoiceIntake, type VoiceIntake } from './voice-intake.ts'
import type { HeardSound, RecognizedSound } from './worker-process.ts'
import type { SuspectSound } from './worker-slot.ts'

export type SessionVoice = {
  intake: VoiceIntake
  heardTo: number
  keepFrom: number
  isInUtterance: boolean
  /** Words are missing before this position, for this reason. */
  loss: { position: number; reason: string } | null
  /** A worker process ended on this sound. If that happens again, the sound is skipped. */
  suspect: { from: number; to: number } | null
  cancelSilenceTimer: () => void
}

/** What a session knows about its voices. It also handles the worker's messages. */
export type SessionVoices = ReturnType<typeof createSessionVoices>

type Parts = {
  options: SpeechSessionOptions
  queue: SoundQueue
  losses: LossReport
  log: Log
}

export function createSessionVoices({ options, queue, losses, log }: Parts) {
  const voices = new Map<string, SessionVoice>()

  const find = (name: string): SessionVoice => {
    const found = voices.get(name)
    if (found !== undefined) return found
    const created = createVoice(name)
    voices.set(name, created)
    return created
  }
  const isListening = (name: string): boolean => {
    const voice = voices.get(name)
    if (voice === undefined) return false
    const { intake, heardTo, isInUtterance } = voice
    if (isInUtterance || intake.isHolding()) return true
    return heardTo < intake.audibleTo() && queue.isPending(name)
  }
  const addLoss = (name: string, to: number, sounds: readonly QueueItem[], reason: string) => {
    find(name).loss = { position: to, reason }
    losses.add(sounds, reason)
  }
  const emit = (name: string, recognized: RecognizedSound) => {
    const voice = find(name)
    const { startedAt, endedAt, to } = recognized
    const text = cleanRecognizedText(recognized.text, endedAt - startedAt)
    if (text === null) return
    const missing = voice.loss !== null && voice.loss.position <= to ? voice.loss : null
    if (missing !== null) voice.loss = null
    const incompleteReason = missing?.reason ?? null
    losses.flush()
    options.onUtterance({ voice: name, text, startedAt, endedAt, incompleteReason })
  }
  const skipIfSuspectAgain = ({ voice: name, from, to }: SuspectSound) => {
    const voice = find(name)
    const { suspect } = voice
    if (suspect === null || to <= suspect.from || from >= suspect.to) {
      voice.suspect = { from, to }
      return
    }
    log.error({ voice: name, from, to }, 'skipped sound on which speech workers ended twice')
    addLoss(name, to, queue.cutOut(name, from, to), LOSS_REASONS.failed)
    voice.suspect = null
  }

  return {
    find,
    peek: (name: string) => voices.get(name),
    names: (): string[] => [...voices.keys()],
    /** True if an utterance of the voice is unfinished, or if the worker has not heard all audible sound yet. */
    isListening,
    isBusy: () => voices.keys().some(isListening),
    dropOldest() {
      const dropped = queue.dropOldestUtterance()
      const last = dropped.at(-1)
      if (last === undefined) return
      const { voice, position, samples } = last
      addLoss(voice, position + samples.length, dropped, LOSS_REASONS.overload)
    },
    onHeard(name: string, heard: HeardSound) {
      const voice = find(name)
      voice.heardTo = heard.heardTo
      voice.keepFrom = heard.keepFrom
      voice.isInUtterance = heard.isInUtterance
      if (voice.suspect !== null && heard.keepFrom >= voice.suspect.to) voice.suspect = null
      queue.confirm(name, heard.heardTo, heard.keepFrom)
      if (heard.hasEnded) queue.confirmEnd(name)
      for (const recognized of heard.utterances) emit(name, recognized)
      // The worker has also forgotten the voice, so its positions may start again.
      const isDone = heard.hasEnded && voice.loss === null && !queue.isPending(name)
      if (isDone && !isListening(name)) voices.delete(name)
    },
    onLost(suspect: SuspectSound | 'unknown' | null) {
      const unconfirmed = queue.oldestUnconfirmed()
      if (suspect === 'unknown' && unconfirmed !== null) {
        const { voice, position, samples } = unconfirmed
        skipIfSuspectAgain({ voice, from: position, to: position + samples.length })
      } else if (suspect !== null && suspect !== 'unknown') skipIfSuspectAgain(suspect)
      for (const [name, voice] of voices) {
        queue.cutOut(name, 0, voice.keepFrom)
        voice.heardTo = Math.min(voice.heardTo, voice.keepFrom)
        voice.isInUtterance = false
      }
      queue.takeBack()
    },
    /** Gives up all sound. */
    loseAll(reason: string) {
      for (const [name, voice] of voices) {
        if (isListening(name)) voice.loss = { position: voice.intake.audibleTo(), reason }
        voice.isInUtterance = false
        voice.heardTo = Math.max(voice.heardTo, voice.intake.audibleTo())
      }
      losses.add(queue.clear(), reason)
    },
    clear() {
      for (const voice of voices.values()) voice.cancelSilenceTimer()
      voices.clear()
    },
  }
}

function createVoice(name: string): SessionVoice {
  return {
    intake: createVoiceIntake(name),
    heardTo: 0,
    keepFrom: 0,
    isInUtterance: false,
    loss: null,
    suspect: null,
    cancelSilenceTimer: () => {},
  }
}
