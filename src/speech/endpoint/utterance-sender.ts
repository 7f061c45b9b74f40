import type { SpeechSessionOptions } from '../../bots/platforms/speech/recognition.ts'
import type { Timers } from '../../lib/time/timers.ts'
import type { Log } from '../../log.ts'
import { toMs } from '../cutting/sound.ts'
import type { UtteranceSound } from '../cutting/utterance-cutter.ts'
import { LOSS_REASONS } from '../sessions/loss-reasons.ts'
import type { LossReport } from '../sessions/session-reports.ts'
import { cleanRecognizedText } from '../text/recognized-text.ts'
import { EndpointFailure, type EndpointClient } from './endpoint-client.ts'

/** Runs at most a number of requests of all sessions at the same time. */
export type RequestLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Sends the utterances of a session to the endpoint. Those of one voice stay in order. */
export interface UtteranceSender {
  add(voice: string, sounds: readonly UtteranceSound[]): void
  waitingMs(): number
  /** How long ago the oldest utterance ended that is not recognized; 0 when there is none. */
  behindMs(): number
  /** Gives up the oldest utterance that waits. */
  dropOldest(): void
  isBusy(): boolean
  whenIdle(): Promise<void>
  /** Gives up everything that waits. */
  dropAll(): void
  /** Requests are aborted, and nothing is sent or reported any more. */
  close(): void
}

type Parts = {
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

export function createUtteranceSender(parts: Parts): UtteranceSender {
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
    if (!closing.signal.aborted) losses.add([{ startsAt, samples }], reason)
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
    add(voice, sounds) {
      if (sounds.length === 0 || closing.signal.aborted) return
      const queue = queues.get(voice) ?? createVoiceQueue()
      queues.set(voice, queue)
      queue.waiting.push(...sounds.map((sound) => ({ ...sound, addedAt: timers.now() })))
      for (const { samples } of sounds) waitingMs += toMs(samples.length)
      void send(voice, queue)
    },
    waitingMs: () => waitingMs,
    behindMs() {
      const sounds = [...queues.values()].flatMap(
        ({ sending, waiting }) => sending ?? waiting[0] ?? [],
      )
      return Math.max(0, ...sounds.map(({ addedAt }) => Math.max(1, timers.now() - addedAt)))
    },
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
    dropAll() {
      for (const queue of queues.values())
        for (let sound = takeOldest(queue); sound !== undefined; sound = takeOldest(queue))
          lose(queue, sound, LOSS_REASONS.late)
    },
    close() {
      closing.abort()
    },
  }
}

function createVoiceQueue(): VoiceQueue {
  return { waiting: [], sending: null, isSending: false, lossReason: null }
}
