import type {
  SpeechSession,
  SpeechSessionOptions,
  VoiceSound,
} from '../../bots/platforms/speech/recognition.ts'
import { isDoneWithin } from '../../lib/async/deadline.ts'
import type { Timers } from '../../lib/time/timers.ts'
import type { Log } from '../../log.ts'
import { createEnergyDetector } from '../cutting/energy-detector.ts'
import { createFrameSplitter } from '../cutting/frame-splitter.ts'
import type { SoundFrame } from '../cutting/sound.ts'
import { createUtteranceCutter, type UtteranceSound } from '../cutting/utterance-cutter.ts'
import type { SessionLimits } from '../sessions/session-limits.ts'
import { createDelayReport, createLossReport } from '../sessions/session-reports.ts'
import type { SoundBudget } from '../sessions/sound-budget.ts'
import type { EndpointClient } from './endpoint-client.ts'
import { createUtteranceSender, type RequestLimit } from './utterance-sender.ts'

type Parts = {
  options: SpeechSessionOptions
  client: EndpointClient
  limitRequests: RequestLimit
  budget: SoundBudget
  limits: SessionLimits
  timers: Timers
  log: Log
}

/** A session whose utterances are cut here and recognized by an endpoint. */
export function openEndpointSession(parts: Parts): SpeechSession {
  const { options, budget, limits, timers } = parts
  const voices = new Map<string, CuttingVoice>()
  const losses = createLossReport(options.onLoss, timers)
  const sender = createUtteranceSender({ ...parts, losses })
  const delays = createDelayReport(sender.behindMs, options.onDelay, timers)
  let isClosed = false

  const send = (voice: string, sounds: readonly UtteranceSound[]) => {
    sender.add(voice, sounds)
    while (sender.waitingMs() > limits.waitingMs) sender.dropOldest()
    budget.enforce()
    delays.check()
  }
  const endVoice = (name: string) => {
    const voice = voices.get(name)
    if (voice === undefined) return
    voices.delete(name)
    voice.cancelSilenceTimer()
    send(name, voice.end())
  }

  budget.join(sender)
  return {
    addSound(sound) {
      if (isClosed || sound.samples.length === 0) return
      const voice = voices.get(sound.voice) ?? createCuttingVoice()
      voices.set(sound.voice, voice)
      voice.cancelSilenceTimer()
      const sounds = voice.add(sound)
      if (voice.isInUtterance())
        voice.cancelSilenceTimer = timers.after(limits.silenceMs, () => endVoice(sound.voice))
      send(sound.voice, sounds)
    },
    endVoice,
    isBusy: () => sender.isBusy() || voices.values().some((voice) => voice.isInUtterance()),
    async finish() {
      for (const name of voices.keys()) endVoice(name)
      delays.reportNow()
      if (!(await isDoneWithin(sender.whenIdle(), limits.finishMs))) sender.dropAll()
      losses.flush()
      delays.reportNow()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      budget.leave(sender)
      for (const voice of voices.values()) voice.cancelSilenceTimer()
      voices.clear()
      sender.dropAll()
      losses.flush()
      delays.stop()
      sender.close()
    },
  }
}

type CuttingVoice = {
  add(sound: VoiceSound): UtteranceSound[]
  end(): UtteranceSound[]
  isInUtterance(): boolean
  cancelSilenceTimer: () => void
}

function createCuttingVoice(): CuttingVoice {
  const splitter = createFrameSplitter()
  const cutter = createUtteranceCutter()
  const detector = createEnergyDetector()
  let position = 0
  const cut = (frames: readonly SoundFrame[]) =>
    frames.flatMap((frame) => cutter.add(frame, detector.isSpeech(frame.samples)))
  return {
    add({ startsAt, samples }) {
      const sounds = cut(splitter.add({ position, startsAt, samples }))
      position += samples.length
      return sounds
    },
    end: () => [...cut(splitter.flush()), ...cutter.end()],
    isInUtterance: () => cutter.isInUtterance(),
    cancelSilenceTimer: () => {},
  }
}
