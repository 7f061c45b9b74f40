import type {
  SpeechRecognition,
  SpeechSession,
  SpeechSessionOptions,
} from '../bots/platforms/speech/recognition.ts'
import { createConcurrencyLimit } from '../lib/async/queues.ts'
import { systemTimers, type Timers } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { createEndpointClient, type EndpointSettings } from './endpoint-client.ts'
import { openEndpointSession } from './endpoint-session.ts'
import { createWorkerProgram } from './install/engine-test.ts'
import type { InstallationState } from './install/installation.ts'
import { RECORDING_LIMITS, SESSION_LIMITS, createSoundBudget } from './sessions.ts'
import { openLocalSession } from './workers/local-session.ts'
import type { EngineFiles } from './workers/process/sherpa-engine.ts'
import { createWorkerPool, type WorkerPool } from './workers/worker-pool.ts'
import { WORKER_TIME_LIMITS, type WorkerClient } from './workers/worker-slot.ts'

/** Waiting sound of all sessions, about 19 MB. */
const MOST_WAITING_MS = 600_000
/** Requests of all sessions to the endpoint at the same time. */
const MOST_REQUESTS = 4

type Parts = {
  isOn: boolean
  mostWorkers: number
  endpoint: EndpointSettings | null
  findInstallation(): InstallationState
  log: Log
  /** Called with the milliseconds of sound that any session has lost. */
  onLost?(ms: number): void
  timers?: Timers
}

export interface OwnedRecognition extends SpeechRecognition, Disposable {
  /**
   * Call this after something was installed or removed. If the worker processes use other files than are now installed,
   * they are ended, and the sessions continue with processes that use the new files.
   */
  installationChanged(): void
  /** The delay of the session that is furthest behind. */
  behindMs(): number
}

/** Uses the installed weights for English, and the endpoint for everything else. */
export function createRecognition(parts: Parts): OwnedRecognition {
  const { isOn, mostWorkers, endpoint, findInstallation, log, timers = systemTimers } = parts
  const onLost = parts.onLost ?? (() => undefined)
  const budget = createSoundBudget(MOST_WAITING_MS)
  const client = endpoint === null ? null : createEndpointClient(endpoint)
  const live = {
    budget,
    limits: SESSION_LIMITS,
    limitRequests: createConcurrencyLimit(MOST_REQUESTS),
  }
  const recorded = {
    budget: createSoundBudget(Number.POSITIVE_INFINITY),
    limits: RECORDING_LIMITS,
    // The others stay for live meetings.
    limitRequests: createConcurrencyLimit(1),
  }
  let pool: { folder: string; workers: WorkerPool } | null = null
  let isDisposed = false

  const closePool = () => {
    const closed = pool
    // Set first, because the sessions connect again while the pool is disposed.
    pool = null
    closed?.workers[Symbol.dispose]()
  }
  const findFiles = (): EngineFiles | null => {
    const state = findInstallation()
    return state.state === 'installed' ? state.files : null
  }
  /** The pool of the files that are installed now; null if there are none. */
  const findPool = (): WorkerPool | null => {
    const files = isDisposed ? null : findFiles()
    if (files === null) return null
    if (pool !== null && pool.folder !== files.folder) closePool()
    pool ??= {
      folder: files.folder,
      workers: createWorkerPool({
        program: createWorkerProgram(files),
        mostWorkers,
        timers,
        limits: WORKER_TIME_LIMITS,
        log,
      }),
    }
    return pool.workers
  }
  const currentPool = {
    connect: (client: WorkerClient) => findPool()?.connect(client) ?? null,
  }
  /** Also reports how much is lost in all sessions. */
  const countLosses = (options: SpeechSessionOptions): SpeechSessionOptions => {
    let countedMs = 0
    return {
      ...options,
      onLoss(loss) {
        onLost(loss.lostMs - countedMs)
        countedMs = loss.lostMs
        options.onLoss(loss)
      },
    }
  }

  return {
    async findObstacle(language) {
      if (!isOn) return 'Speech recognition is turned off on this instance (HANSARD_SPEECH=off).'
      if (client !== null) return null
      if (!isEnglish(language))
        return `Speech in the language ${language} needs an endpoint: set HANSARD_SPEECH_URL.`
      return OBSTACLES[findInstallation().state]
    },
    openSession(given) {
      const options = countLosses(given)
      if (!isOn) return openDeafSession(options, 'Speech recognition is turned off.')
      const base = { ...(options.isRecording === true ? recorded : live), timers, log }
      if (isEnglish(options.language) && findFiles() !== null)
        return openLocalSession({ ...base, options, pool: currentPool })
      if (client !== null) return openEndpointSession({ ...base, options, client })
      return openDeafSession(options, 'Speech recognition is not available.')
    },
    behindMs: budget.behindMs,
    installationChanged() {
      if (pool !== null && pool.folder !== findFiles()?.folder) closePool()
    },
    [Symbol.dispose]() {
      isDisposed = true
      closePool()
    },
  }
}

const OBSTACLES: Readonly<Record<InstallationState['state'], string | null>> = {
  installed: null,
  absent: 'Speech recognition is not installed. An admin can install it: hansard speech install',
  outdated:
    'The installed speech recognition is of another version of Hansard. Install it again: hansard speech install',
  damaged: 'The installed speech recognition is damaged. Install it again: hansard speech install',
}

/** True if the weights are for this language. An unknown language is treated as English. */
export function isEnglish(language: string | null): boolean {
  return language === null || /^en(?:-|$)/i.test(language)
}

/** A session that recognizes nothing and says why. */
function openDeafSession(options: SpeechSessionOptions, reason: string): SpeechSession {
  let lostMs = 0
  return {
    addSound({ samples, startsAt }) {
      // The caller should have asked for the obstacle first, so it is reported only once.
      if (lostMs === 0 && samples.length > 0) {
        lostMs = Math.max(1, Math.round(samples.length / 16))
        options.onLoss({ lostMs, reason, startedAt: startsAt, endedAt: startsAt + lostMs })
      }
    },
    endVoice: () => undefined,
    isBusy: () => false,
    finish: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}
