import type {
  SpeechSession,
  SpeechSessionOptions,
  VoiceSound,
} from '../../bots/platforms/speech/recognition.ts'
import { isDoneWithin } from '../../lib/async/abort.ts'
import type { Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import {
  type SessionLimits,
  describeUnusableEngine,
  LOSS_REASONS,
  createDelayReport,
  createLossReport,
  type SoundBudget,
} from '../sessions.ts'
import { toMs } from '../sound.ts'
import { createSessionVoices } from './session-voices.ts'
import { createSoundQueue, type QueueItem, type SoundQueue } from './sound-queue.ts'
import type { WorkerConnection, WorkerPool } from './worker-pool.ts'
import type { WorkerClient } from './worker-slot.ts'

type Parts = {
  options: SpeechSessionOptions
  /** When this pool is closed, the session connects to the next one. */
  pool: Pick<WorkerPool, 'connect'>
  budget: SoundBudget
  limits: SessionLimits
  timers: Timers
  log: Log
}

/** A session whose speech is recognized by a worker process of this machine. */
export function openLocalSession(parts: Parts): SpeechSession {
  const { options, pool, budget, limits, timers, log } = parts
  const queue = createSoundQueue()
  const losses = createLossReport(options.onLoss, timers)
  const voices = createSessionVoices({ options, queue, losses, log })
  let connection: WorkerConnection | null = null
  let onIdle: (() => void) | null = null
  let isClosed = false
  const { noteSound, behindMs } = createDelayMeter(queue, timers)
  const delays = createDelayReport(behindMs, options.onDelay, timers)
  /** Sends as much sound as the worker may have. */
  const pump = () => {
    if (!isClosed && queue.isPending()) {
      connection ??= pool.connect(client)
      if (connection === null) voices.loseAll(LOSS_REASONS.removed)
      else if (connection.wake()) sendTo(connection)
    }
    delays.check()
    if (!voices.isBusy() && !queue.isPending()) onIdle?.()
  }
  const sendTo = ({ session, send }: WorkerConnection) => {
    while (queue.unconfirmedMs() < limits.unconfirmedMs) {
      const item = queue.next()
      if (item === null) return
      const { voice, position, startsAt, samples } = item
      const key = { session, voice, isRecording: options.isRecording === true }
      if (item.isEnd) send({ type: 'end', ...key })
      else send({ type: 'sound', ...key, position, startsAt, samples })
    }
  }
  const enqueue = (items: readonly QueueItem[]) => {
    for (const item of items) queue.add(item)
    while (queue.waitingMs() > limits.waitingMs) voices.dropOldest()
    budget.enforce()
    pump()
  }
  const endVoice = (name: string) => {
    const voice = voices.peek(name)
    if (voice === undefined) return
    voice.cancelSilenceTimer()
    const { intake, heardTo } = voice
    const items = intake.end()
    // A worker that has heard nothing of the voice has nothing to end.
    if (items.length === 0 && heardTo === 0 && !queue.isPending(name)) return
    const end = { isEnd: true, isHeard: false, startsUtterance: false, startsAt: 0 }
    const samples = new Int16Array(0)
    enqueue([...items, { voice: name, position: intake.audibleTo(), samples, ...end }])
  }
  const client: WorkerClient = {
    onReady: pump,
    onHeard(name, heard) {
      voices.onHeard(name, heard)
      pump()
    },
    onLost(suspect) {
      voices.onLost(suspect)
      pump()
    },
    onUnusable(reason) {
      voices.loseAll(describeUnusableEngine(reason))
      pump()
    },
    onClosed() {
      connection = null
      client.onLost(null)
    },
    isWaiting: () => queue.isPending(),
  }
  const holder = { waitingMs: queue.waitingMs, behindMs, dropOldest: voices.dropOldest }

  budget.join(holder)
  return {
    addSound(sound) {
      if (isClosed || sound.samples.length === 0) return
      noteSound(sound)
      const voice = voices.find(sound.voice)
      const items = voice.intake.add(sound, voices.isListening(sound.voice))
      voice.cancelSilenceTimer()
      if (items.length > 0) enqueue(items)
      if (voices.isListening(sound.voice))
        voice.cancelSilenceTimer = timers.after(limits.silenceMs, () => endVoice(sound.voice))
    },
    endVoice,
    isBusy: voices.isBusy,
    async finish() {
      for (const name of voices.names()) endVoice(name)
      if (voices.isBusy() || queue.isPending()) {
        delays.reportNow()
        const idle = new Promise<void>((resolve) => {
          onIdle = resolve
        })
        if (!(await isDoneWithin(idle, limits.finishMs))) voices.loseAll(LOSS_REASONS.late)
        onIdle = null
      }
      losses.flush()
      delays.reportNow()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      budget.leave(holder)
      voices.clear()
      queue.clear()
      losses.flush()
      delays.stop()
      connection?.close()
    },
  }
}

/** Measures how long the oldest sound has waited, without knowing the caller's clock. */
function createDelayMeter(queue: Pick<SoundQueue, 'oldestUnheard'>, timers: Timers) {
  /** When the newest sound ended and when it arrived. */
  let newest = { endsAt: -Infinity, arrivedAt: 0 }
  return {
    noteSound({ startsAt, samples }: VoiceSound): void {
      const endsAt = startsAt + toMs(samples.length)
      if (endsAt > newest.endsAt) newest = { endsAt, arrivedAt: timers.now() }
    },
    behindMs(): number {
      const oldest = queue.oldestUnheard()
      if (oldest === null) return 0
      return Math.max(1, newest.endsAt - oldest.startsAt + timers.now() - newest.arrivedAt)
    },
  }
}
