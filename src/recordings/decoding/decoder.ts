import { fork, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { onAbort } from '../../lib/async/abort.ts'
import { workerModuleUrl } from '../../lib/async/run-in-thread.ts'
import { errorCode } from '../../lib/error-code.ts'
import type {
  DecodedSound,
  MessageFromDecoder,
  MessageToDecoder,
  RecordingInfo,
} from './decoder-messages.ts'
import { UnreadableRecording } from './unreadable-recording.ts'

export type DecoderLimits = {
  /** How long the headers, or the next second of sound, may take. */
  stepMs: number
  /** How much memory the process may use, where the system tells it. */
  memoryBytes: number
}

export const DECODER_LIMITS: DecoderLimits = { stepMs: 120_000, memoryBytes: 1024 ** 3 }
const MEMORY_CHECK_MS = 500
const KEPT_OUTPUT_CHARACTERS = 2_000
const PAGE_BYTES = 4_096
/** The bytes and the decoders are outside the JavaScript heap. */
const NODE_OPTIONS = ['--max-old-space-size=256']

type Parts = {
  size: number
  /** Resolves with the bytes of the file between two positions. */
  read(start: number, end: number): Promise<Uint8Array>
  /** A longer recording is refused. */
  maxMs: number
  /** Ends the process. */
  signal?: AbortSignal
  limits?: DecoderLimits
  /** The program of the process; tests use others. */
  entry?: string
}

/** A process that decodes one recording. A file that breaks it ends only this process. */
export interface Decoder extends Disposable {
  readonly info: RecordingInfo
  /** Yields the sound from a time on. Returns the time from which the file is damaged, or null. */
  decode(fromMs: number): AsyncGenerator<DecodedSound, number | null>
  /** The last lines of the process's output, for the log. */
  output(): string
  pid(): number | undefined
}

type Step = Exclude<MessageFromDecoder, { type: 'read' | 'problem' }>

/** Starts a process and reads the headers. Throws `UnreadableRecording` if the recording cannot be used. */
export async function openDecoder(parts: Parts): Promise<Decoder> {
  const process = startProcess(parts)
  try {
    const { info } = await process.step(
      { type: 'open', size: parts.size, maxMs: parts.maxMs },
      'info',
    )
    return {
      info,
      output: process.output,
      pid: process.pid,
      [Symbol.dispose]: process.kill,
      async *decode(fromMs) {
        let message: MessageToDecoder = { type: 'decode', fromMs }
        for (;;) {
          const step = await process.step(message, 'sound', 'end')
          if (step.type === 'end') return step.damagedAtMs
          yield { startMs: step.startMs, channels: step.channels }
          message = { type: 'more' }
        }
      },
    }
  } catch (error) {
    process.kill()
    throw error
  }
}

/** Why a process ended that nobody stopped. */
const LIMIT_REASONS = {
  time: 'Decoding this file takes too long, so it is probably damaged',
  memory: 'Decoding this file needs too much memory',
  crash: 'Decoding this file failed, so it is probably damaged',
}

function startProcess({ read, limits = DECODER_LIMITS, entry, signal }: Parts) {
  signal?.throwIfAborted()
  const program = entry ?? fileURLToPath(workerModuleUrl('decode-worker', import.meta.url))
  const child = fork(program, [], {
    serialization: 'advanced',
    execArgv: NODE_OPTIONS,
    // The process needs no settings, so it gets no secrets.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  let waiting: PromiseWithResolvers<Step> | null = null
  let failure: Error | null = null

  const fail = (error: Error) => {
    failure ??= error
    waiting?.reject(failure)
    waiting = null
    child.kill('SIGKILL')
  }
  const watch = setInterval(() => {
    isTooLarge(child, limits.memoryBytes).then(
      (isLarge) => isLarge && fail(new UnreadableRecording(LIMIT_REASONS.memory)),
      fail,
    )
  }, MEMORY_CHECK_MS)

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS)
  })
  const unsubscribe = signal && onAbort(signal, () => fail(signal.reason as Error))
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  child.on('error', fail)
  child.on('exit', () => {
    clearInterval(watch)
    unsubscribe?.()
    fail(new UnreadableRecording(LIMIT_REASONS.crash))
  })
  const send = (message: MessageToDecoder) => {
    if (child.connected) child.send(message, () => undefined)
  }
  child.on('message', (received) => {
    const message = received as MessageFromDecoder
    if (message.type === 'problem') fail(new UnreadableRecording(message.reason))
    else if (message.type === 'read') {
      const { id, start, end } = message
      read(start, end).then((bytes) => send({ type: 'bytes', id, bytes }), fail)
    } else {
      waiting?.resolve(message)
      waiting = null
    }
  })

  return {
    output: () => output,
    pid: () => child.pid,
    kill() {
      clearInterval(watch)
      fail(new Error('the decoder was stopped'))
    },
    /** Sends a message and resolves with its answer, which has one of the types. */
    async step<Type extends Step['type']>(
      message: MessageToDecoder,
      ...types: Type[]
    ): Promise<Extract<Step, { type: Type }>> {
      if (failure !== null) throw failure
      const answer = Promise.withResolvers<Step>()
      waiting = answer
      const timer = setTimeout(
        () => fail(new UnreadableRecording(LIMIT_REASONS.time)),
        limits.stepMs,
      )
      try {
        send(message)
        const step = await answer.promise
        if ((types as string[]).includes(step.type)) return step as Extract<Step, { type: Type }>
        throw new Error(`the decoder answered ${step.type} to ${message.type}`)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Linux tells how much memory a process uses. Elsewhere only its JavaScript heap is limited. */
async function isTooLarge({ pid }: ChildProcess, mostBytes: number): Promise<boolean> {
  try {
    const [, pages = '0'] = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')
    return Number(pages) * PAGE_BYTES > mostBytes
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return false
    throw error
  }
}
