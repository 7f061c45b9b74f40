import { errorMessageOf } from '../../../lib/error-code.ts'
import type { UtteranceSound } from '../../utterance-cutter.ts'
import type {
  MessageFromWorker,
  MessageToWorker,
  RecognizedSound,
  VoiceKey,
} from '../worker-process.ts'
import type { SpeechEngine } from './sherpa-engine.ts'
import {
  recognizeUtterance,
  createDetectorPool,
  createVoiceListener,
  type VoiceListener,
} from './voice-listener.ts'

type VoiceMessage = Exclude<MessageToWorker, { type: 'close' }>
type SessionState = { waiting: VoiceMessage[]; voices: Map<string, VoiceListener> }

/** Processes the sound of all sessions in turns, until the service disconnects. */
export async function runWorker(openEngine: () => SpeechEngine): Promise<void> {
  // The service decides when this process ends. A signal to the whole group must not end it before its last results.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
  let engine: SpeechEngine
  try {
    engine = openEngine()
  } catch (error) {
    await send({ type: 'unusable', reason: errorMessageOf(error) })
    process.exit(1)
  }
  const handle = createMessageHandler(engine)
  process.on('message', handle)
  await send({ type: 'ready' })
}

function createMessageHandler(engine: SpeechEngine): (message: unknown) => void {
  const sessions = new Map<number, SessionState>()
  const detectors = createDetectorPool(() => engine.createDetector())
  let isRunning = false

  const recognize = async (key: VoiceKey, sounds: UtteranceSound[]): Promise<RecognizedSound[]> => {
    const recognized: RecognizedSound[] = []
    for (const sound of sounds) {
      const { from, to, startedAt, endedAt } = sound
      await send({ type: 'recognizing', ...key, from, to })
      recognized.push({ text: recognizeUtterance(engine, sound), startedAt, endedAt, to })
    }
    return recognized
  }

  const handleVoiceMessage = async (state: SessionState, message: VoiceMessage) => {
    const key = { session: message.session, voice: message.voice }
    const listener = state.voices.get(key.voice) ?? createVoiceListener(detectors)
    state.voices.set(key.voice, listener)
    const hasEnded = message.type === 'end'
    const sounds = hasEnded ? listener.end() : listener.add(message)
    if (hasEnded) state.voices.delete(key.voice)
    const utterances = await recognize(key, sounds)
    await send({ type: 'heard', ...key, ...listener.state(), hasEnded, utterances })
  }

  const isLiveWaiting = () =>
    sessions.values().some(({ waiting }) => waiting[0]?.isRecording === false)

  /** Processes one message of each session in turn, so that a session with much sound does not delay the others. */
  const run = async () => {
    isRunning = true
    while (sessions.values().some(({ waiting }) => waiting.length > 0)) {
      for (const state of sessions.values()) {
        if (state.waiting[0]?.isRecording === true && isLiveWaiting()) continue
        const message = state.waiting.shift()
        if (message !== undefined) await handleVoiceMessage(state, message)
      }
      // Lets messages of other sessions arrive.
      await new Promise((resolve) => setImmediate(resolve))
    }
    isRunning = false
  }

  const closeSession = (id: number) => {
    for (const listener of sessions.get(id)?.voices.values() ?? []) listener.end()
    const state = sessions.get(id)
    if (state !== undefined) state.waiting.length = 0
    sessions.delete(id)
  }

  return (received) => {
    const message = received as MessageToWorker
    if (message.type === 'close') return closeSession(message.session)
    let state = sessions.get(message.session)
    if (state === undefined) {
      state = { waiting: [], voices: new Map() }
      sessions.set(message.session, state)
    }
    state.waiting.push(message)
    if (!isRunning) void run()
  }
}

/** Resolves when the message has left this process, because the process may end or hang in the next call. */
async function send(message: MessageFromWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    // An error means that the service has disconnected. The event `disconnect` then ends this process.
    process.send?.(message, () => resolve())
  })
}
