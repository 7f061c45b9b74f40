import type {
  SpeechSession,
  SpeechSessionOptions,
  VoiceSound,
} from '../bots/platforms/speech/recognition.ts'
import { isDoneWithin } from '../lib/async/abort.ts'
import type { Timers } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { type EndpointClient, EndpointFailure } from './endpoint-client.ts'
import { cleanRecognizedText } from './recognized-text.ts'
import {
  type SessionLimits,
  createDelayReport,
  createLossReport,
  type SoundBudget,
  LOSS_REASONS,
  type LossReport,
} from './sessions.ts'
import { createFrameSplitter, type SoundFrame, toMs } from './sound.ts'
import {
  createEnergyDetector,
  createUtteranceCutter,
  type UtteranceSound,
} from './utterance-cutter.ts'

type Parts = {
  options: SpeechSessionOptions
  client: EndpointClient
  limitRequests: RequestLimit
  budget: SoundBudget
  limits: SessionLimits
  timers: Timers
  log: Log
}

/** Limits how many requests of all sessions run at the same time. */
type RequestLimit = <T>(work: () => Promise<T>) => Promise<T>

type UtteranceSenderParts = {
  options: SpeechSessionOptions
  client: EndpointClient
  limitRequests: RequestLimit
  losses: LossReport
  timers: Timers
  log: Log
}

type VoiceQueue = {
  waiting: WaitingSound[]
  sending: WaitingSound | null
  isSending: boolean
  /** Why words are missing before the next utterance. */
  lossReason: string | null
}

type WaitingSound = UtteranceSound & { addedAt: number }

/** A session that cuts utterances itself and lets an endpoint recognize them. */
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
      if (!(await isDoneWithin(sender.whenIdle(), limits.finishMs))) sender.close()
      losses.flush()
      delays.reportNow()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      budget.leave(sender)
      for (const voice of voices.values()) voice.cancelSilenceTimer()
      voices.clear()
      sender.close()
      losses.flush()
      delays.stop()
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

/** Sends a session's utterances to the endpoint. The utterances of one voice stay in order. */
function createUtteranceSender(parts: UtteranceSenderParts) {
  const { options, client, limitRequests, losses, timers, log } = parts
  const queues = new Map<string, VoiceQueue>()
  let waitingMs = 0
  const closing = new AbortController()
  let onIdle: (() => void) | null = null

  const isBusy = () =>
    queues.values().some(({ waiting, isSending }) => isSending || waiting.length > 0)

  const takeOldest = (queue: VoiceQueue): WaitingSound | undefined => {
    const sound = queue.waiting.shift()
    if (sound !== undefined) waitingMs -= toMs(sound.samples.length)
    return sound
  }
  const lose = (queue: VoiceQueue, sound: UtteranceSound, reason: string) => {
    queue.lossReason = reason
    const { startedAt: startsAt, samples } = sound
    losses.add([{ startsAt, samples }], reason)
  }
  const recognize = async (voice: string, queue: VoiceQueue, sound: UtteranceSound) => {
    const { startedAt, endedAt, samples } = sound
    const durationMs = toMs(samples.length)
    try {
      const { language } = options
      const answer = await client.recognize({ samples, durationMs, language }, closing.signal)
      const text = cleanRecognizedText(answer, durationMs)
      if (text === null || closing.signal.aborted) return
      const incompleteReason = queue.lossReason
      queue.lossReason = null
      losses.flush()
      options.onUtterance({ voice, text, startedAt, endedAt, incompleteReason })
    } catch (error) {
      if (closing.signal.aborted) return
      if (!(error instanceof EndpointFailure)) throw error
      log.warn({ err: error }, 'speech endpoint did not recognize an utterance')
      lose(queue, sound, error.message)
    }
  }
  const send = async (voice: string, queue: VoiceQueue) => {
    if (queue.isSending) return
    queue.isSending = true
    while (queue.waiting.length > 0)
      await limitRequests(async () => {
        const sound = takeOldest(queue)
        if (sound === undefined) return
        queue.sending = sound
        await recognize(voice, queue, sound).catch((error: unknown) =>
          log.error({ err: error, voice }, 'failed to recognize an utterance'),
        )
        queue.sending = null
      })
    queue.isSending = false
    if (queue.lossReason === null) queues.delete(voice)
    if (!isBusy()) onIdle?.()
  }

  return {
    add(voice: string, sounds: readonly UtteranceSound[]) {
      if (sounds.length === 0 || closing.signal.aborted) return
      const queue = queues.get(voice) ?? createVoiceQueue()
      queues.set(voice, queue)
      queue.waiting.push(...sounds.map((sound) => ({ ...sound, addedAt: timers.now() })))
      for (const { samples } of sounds) waitingMs += toMs(samples.length)
      void send(voice, queue)
    },
    waitingMs: () => waitingMs,
    /** How long ago the oldest utterance ended that is not recognized yet; 0 if there is none. */
    behindMs() {
      const sounds = [...queues.values()].flatMap(
        ({ sending, waiting }) => sending ?? waiting[0] ?? [],
      )
      return Math.max(0, ...sounds.map(({ addedAt }) => Math.max(1, timers.now() - addedAt)))
    },
    /** Gives up the oldest waiting utterance. */
    dropOldest() {
      const [oldest] = [...queues.values()]
        .filter(({ waiting }) => waiting.length > 0)
        .toSorted((one, other) => one.waiting[0]!.startedAt - other.waiting[0]!.startedAt)
      const sound = oldest && takeOldest(oldest)
      if (oldest !== undefined && sound !== undefined) lose(oldest, sound, LOSS_REASONS.overload)
    },
    isBusy,
    async whenIdle() {
      if (!isBusy()) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
    /** Gives up all utterances, and aborts their requests. Nothing is sent after that. */
    close() {
      closing.abort()
      for (const queue of queues.values()) {
        for (const sound of [queue.sending, ...queue.waiting.splice(0)])
          if (sound !== null) lose(queue, sound, LOSS_REASONS.late)
      }
      queues.clear()
      waitingMs = 0
    },
  }
}

function createVoiceQueue(): VoiceQueue {
  return { waiting: [], sending: null, isSending: false, lossReason: null }
}
