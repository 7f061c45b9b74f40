import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type {
  RecognizedUtterance,
  SpeechLoss,
  SpeechSession,
} from '../../../src/bots/platforms/speech/recognition.ts'
import { systemTimers, type Timers } from '../../../src/lib/time/clock.ts'
import { createLog } from '../../../src/log.ts'
import {
  SESSION_LIMITS,
  type SessionLimits,
  createSoundBudget,
} from '../../../src/speech/sessions.ts'
import { openLocalSession } from '../../../src/speech/workers/local-session.ts'
import { createWorkerPool, type WorkerPool } from '../../../src/speech/workers/worker-pool.ts'
import {
  WORKER_TIME_LIMITS,
  type WorkerTimeLimits,
} from '../../../src/speech/workers/worker-slot.ts'
import { requireEnv } from '../../support/database/test-database.ts'

export type HeardSession = SpeechSession & {
  utterances: RecognizedUtterance[]
  losses: SpeechLoss[]
  delays: number[]
}

export type FakePool = Disposable & {
  pool: WorkerPool
  /** True if the engine has ended once on purpose. */
  hasEndedOnce(): boolean
  /** The delay of the session that is furthest behind. */
  behindMs(): number
  /** How many processes have hung. */
  countHangs(): number
  openSession(limits?: Partial<SessionLimits>): HeardSession
}

/** A pool of real processes with the fake engine. */
export function openFakePool({
  mostWorkers = 1,
  limits = {},
  mode = 'usable',
  timers = systemTimers,
}: {
  mostWorkers?: number
  limits?: Partial<WorkerTimeLimits>
  mode?: 'usable' | 'unusable'
  /** The time limits of processes use these. */
  timers?: Timers
} = {}): FakePool {
  const folder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'speech-'))
  const marker = join(folder, 'ended')
  const log = createLog('silent')
  const pool = createWorkerPool({
    program: { entry: join(import.meta.dirname, 'fake-worker.ts'), args: [marker, mode] },
    mostWorkers,
    timers,
    limits: { ...WORKER_TIME_LIMITS, restartMs: 1, ...limits },
    log,
  })
  const budget = createSoundBudget(600_000)
  return {
    pool,
    hasEndedOnce: () => existsSync(marker),
    behindMs: budget.behindMs,
    countHangs: () => statSync(`${marker}-hangs`, { throwIfNoEntry: false })?.size ?? 0,
    openSession(changed = {}) {
      const utterances: RecognizedUtterance[] = []
      const losses: SpeechLoss[] = []
      const delays: number[] = []
      const session = openLocalSession({
        options: {
          language: 'en',
          onUtterance: (utterance) => void utterances.push(utterance),
          onLoss: (loss) => void losses.push(loss),
          onDelay: (behindMs) => void delays.push(behindMs),
        },
        pool,
        budget,
        limits: { ...SESSION_LIMITS, ...changed },
        timers: systemTimers,
        log,
      })
      return Object.assign(session, { utterances, losses, delays })
    },
    [Symbol.dispose]() {
      pool[Symbol.dispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A second of sound with the given largest sample, and a second of silence. */
export function speak(session: SpeechSession, voice: string, startsAt: number, peak: number): void {
  const samples = new Int16Array(32_000)
  samples.subarray(0, 16_000).fill(peak)
  for (let offset = 0; offset < samples.length; offset += 320)
    session.addSound({
      voice,
      startsAt: startsAt + offset / 16,
      samples: samples.subarray(offset, offset + 320),
    })
}
