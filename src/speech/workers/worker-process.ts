import { fork, type ChildProcess } from 'node:child_process'
import type { SoundChunk } from '../sound.ts'

/** The program of a worker process and its arguments. */
export type WorkerProgram = { entry: string; args: string[] }

export interface WorkerProcess {
  readonly pid: number | undefined
  send(message: MessageToWorker): void
  kill(): void
  /** The last lines of the process's output, for the log. */
  output(): string
}

export type WorkerEvents = {
  onMessage(message: MessageFromWorker): unknown
  /** Called once, when the process has ended or could not be started. */
  onEnd(reason: string): unknown
}

const KEPT_OUTPUT_CHARACTERS = 2_000
/** The sound and the weights are outside the JavaScript heap. */
const NODE_OPTIONS = ['--expose-gc', '--max-old-space-size=256']

/** Names a session's voice in messages to and from a worker process. */
export type VoiceKey = { session: number; voice: string }
/** Sound of a recording is processed only while no sound of a live meeting waits. */
type Priority = { isRecording: boolean }

export type MessageToWorker =
  | ({ type: 'sound' } & VoiceKey & Priority & SoundChunk)
  /** The voice is silent from now on. */
  | ({ type: 'end' } & VoiceKey & Priority)
  | { type: 'close'; session: number }

export type MessageFromWorker =
  | { type: 'ready' }
  /** The runtime or the weights cannot be used. The process then ends. */
  | { type: 'unusable'; reason: string }
  /** Sent before a recognition, so that the service knows on which sound a process ended or hangs. */
  | ({ type: 'recognizing'; from: number; to: number } & VoiceKey)
  | ({ type: 'heard' } & VoiceKey & HeardSound)

/** One message confirms sound and carries its text, so that no utterance is lost or doubled if a process ends. */
export type HeardSound = {
  /** The process has heard the voice up to this position. */
  heardTo: number
  /** Sound before this position is no longer needed. */
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

export function startWorkerProcess(program: WorkerProgram, events: WorkerEvents): WorkerProcess {
  const child = fork(program.entry, program.args, {
    serialization: 'advanced',
    execArgv: NODE_OPTIONS,
    // The process needs no settings, so it gets no secrets.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS)
  })
  let hasEnded = false
  const end = (reason: string) => {
    if (hasEnded) return
    hasEnded = true
    events.onEnd(reason)
  }
  child.on('message', (message) => {
    if (!hasEnded) events.onMessage(message as MessageFromWorker)
  })
  child.on('error', (error) => end(error.message))
  child.on('exit', (code, signal) => end(signal === null ? `exit code ${code}` : signal))
  // Without a channel the process is useless, and ends by itself.
  child.on('disconnect', () => child.kill('SIGKILL'))
  return {
    pid: child.pid,
    send: (message) => sendUnlessDisconnected(child, message),
    kill: () => void child.kill('SIGKILL'),
    output: () => output,
  }
}

function sendUnlessDisconnected(child: ChildProcess, message: MessageToWorker): void {
  // A process that has just ended does not get the message. Its sessions send the sound again to the next one.
  if (child.connected) child.send(message, () => undefined)
}
