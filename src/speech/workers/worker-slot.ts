import { doublingDelayMs } from '../../lib/time/backoff.ts'
import type { Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import { toMs } from '../sound.ts'
import {
  type HeardSound,
  type MessageFromWorker,
  type MessageToWorker,
  startWorkerProcess,
  type WorkerProcess,
  type WorkerProgram,
} from './worker-process.ts'

/** A process ended or hung on this sound. */
export type SuspectSound = { voice: string; from: number; to: number }

/** What a worker tells a session that it serves. */
export interface WorkerClient {
  /** A process is ready and has no sound of this session yet. */
  onReady(): void
  onHeard(voice: string, heard: HeardSound): void
  /** The process has ended. `suspect` is this session's sound that it was recognizing, if any. */
  onLost(suspect: SuspectSound | 'unknown' | null): void
  /** No process can be started. */
  onUnusable(reason: string): void
  /** The slot was closed. The session has to connect again. */
  onClosed(): void
  /** True if a process has sound of this session that it did not confirm. */
  isWaiting(): boolean
}

export type WorkerTimeLimits = {
  /** From the start of a process until it has loaded its weights. */
  readyMs: number
  /** How long a process that has sound may send no message. */
  answerMs: number
  /** Additional time for each millisecond of sound that is being recognized. */
  perSoundMs: number
  /** A process without a session ends after this time. */
  idleMs: number
  /** The pause before a process is started again. It doubles with each failure. */
  restartMs: number
  longestRestartMs: number
}

export const WORKER_TIME_LIMITS: WorkerTimeLimits = {
  readyMs: 60_000,
  answerMs: 20_000,
  perSoundMs: 4,
  idleMs: 60_000,
  restartMs: 250,
  longestRestartMs: 30_000,
}

/** If this many processes in a row never became ready, this machine cannot run them. */
const START_ATTEMPTS = 3

/** A place for one worker process. It is started when a session has sound, and again after it has ended. */
export interface WorkerSlot {
  sessionCount(): number
  add(session: number, client: WorkerClient): void
  remove(session: number): void
  /** Starts a process if there is none. Returns true if it is ready for messages. */
  wake(): boolean
  send(message: MessageToWorker): void
  /** Ends the process and removes all sessions. Nothing is started after that. */
  close(): void
  /** The running process's id; undefined if there is none. */
  pid(): number | undefined
}

type SlotSuspect = SuspectSound & { session: number }

type Parts = {
  program: WorkerProgram
  timers: Timers
  limits: WorkerTimeLimits
  log: Log
}

/**
 * `off`: no process. `starting`: it loads its weights. `ready`: it accepts sound. `paused`: the last one ended, and the
 * next one starts after a while. `closed`: permanently.
 */
type SlotMode = 'off' | 'starting' | 'ready' | 'paused' | 'closed'

/** Calls `onLate` if the time passes without another `set` or `stop`. */
interface Watchdog {
  set(ms: number): void
  stop(): void
  isSet(): boolean
}

export function createWorkerSlot({ program, timers, limits, log }: Parts): WorkerSlot {
  const clients = new Map<number, WorkerClient>()
  let mode: SlotMode = 'off'
  let worker: WorkerProcess | null = null
  let failures = 0
  let failedStarts = 0
  let lastProblem = ''
  let suspect: SlotSuspect | null = null
  let cancelWait = () => {}
  const watchdog = createWatchdog(timers, () => {
    log.error({ pid: worker?.pid, suspect }, 'speech worker does not answer and is ended')
    worker?.kill()
  })

  const isClosed = () => mode === 'closed'
  const isAnyWaiting = () => clients.values().some((client) => client.isWaiting())
  const watchForAnswer = () => {
    watchdog.stop()
    if (!isAnyWaiting()) return
    const soundMs = suspect === null ? 0 : toMs(suspect.to - suspect.from)
    watchdog.set(limits.answerMs + soundMs * limits.perSoundMs)
  }

  const start = () => {
    mode = 'starting'
    watchdog.set(limits.readyMs)
    const started: WorkerProcess = startWorkerProcess(program, {
      onMessage: (message) => worker === started && onMessage(message),
      onEnd: (reason) => worker === started && onEnd(started, reason),
    })
    worker = started
  }

  const onMessage = (message: MessageFromWorker) => {
    if (message.type === 'ready') {
      mode = 'ready'
      failedStarts = 0
      watchdog.stop()
      for (const client of clients.values()) client.onReady()
    } else if (message.type === 'unusable') {
      lastProblem = message.reason
    } else if (message.type === 'recognizing') {
      suspect = message
      watchForAnswer()
    } else {
      suspect = null
      failures = 0
      clients.get(message.session)?.onHeard(message.voice, message)
      watchForAnswer()
    }
  }

  const onEnd = (process: WorkerProcess, reason: string) => {
    const output = process.output()
    worker = null
    watchdog.stop()
    if (mode === 'starting') failedStarts += 1
    failures += 1
    mode = 'paused'
    const ended = suspect
    suspect = null
    log.error({ reason, problem: lastProblem, output, suspect: ended }, 'speech worker ended')
    reportLost(clients, ended)
    if (failedStarts >= START_ATTEMPTS)
      for (const client of clients.values()) client.onUnusable(lastProblem || output || reason)
    // A client may have closed the slot.
    if (isClosed()) return
    const waitMs = doublingDelayMs(limits.restartMs, failures, limits.longestRestartMs)
    cancelWait = timers.after(waitMs, () => {
      mode = 'off'
      if (isAnyWaiting()) start()
    })
  }

  const stop = () => {
    watchdog.stop()
    cancelWait()
    const stopped = worker
    worker = null
    stopped?.kill()
  }

  return {
    sessionCount: () => clients.size,
    add(session, client) {
      if (clients.size === 0 && mode !== 'paused') cancelWait()
      clients.set(session, client)
    },
    remove(session) {
      if (!clients.delete(session)) return
      worker?.send({ type: 'close', session })
      if (clients.size > 0 || mode === 'paused') return
      cancelWait()
      cancelWait = timers.after(limits.idleMs, () => {
        mode = 'off'
        stop()
      })
    },
    wake() {
      if (mode === 'off') start()
      return mode === 'ready'
    },
    send(message) {
      worker?.send(message)
      // A running watchdog is not reset, because a hanging process may get more sound.
      if (!watchdog.isSet()) watchForAnswer()
    },
    close() {
      if (mode === 'closed') return
      mode = 'closed'
      stop()
      removeAll(clients)
    },
    pid: () => worker?.pid,
  }
}

function removeAll(clients: Map<number, WorkerClient>): void {
  const removed = [...clients.values()]
  clients.clear()
  for (const client of removed) client.onClosed()
}

function reportLost(clients: ReadonlyMap<number, WorkerClient>, suspect: SlotSuspect | null): void {
  for (const [id, client] of clients) {
    if (suspect === null) client.onLost('unknown')
    else client.onLost(suspect.session === id ? suspect : null)
  }
}

function createWatchdog(timers: Timers, onLate: () => void): Watchdog {
  let cancel: (() => void) | null = null
  const stop = () => {
    cancel?.()
    cancel = null
  }
  return {
    set(ms) {
      stop()
      cancel = timers.after(ms, onLate)
    },
    stop,
    isSet: () => cancel !== null,
  }
}
