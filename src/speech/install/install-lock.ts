import { randomUUID } from 'node:crypto'
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { systemClock, systemTimers, type Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'

/** If a process has not touched its lock for this time, the process was killed and the lock is left over. */
const STALE_MS = 60_000
const TOUCH_MS = 10_000

export interface InstallLock extends Disposable {
  /** Aborts when another process has taken over or removed the lock. */
  readonly lost: AbortSignal
  /** Reads the lock, and throws if it is lost. */
  throwIfLost(): void
}

type Parts = { log: Log; timers?: Timers }

/**
 * Lets only one process at a time install into a folder; a second one gets an error. The lock of a killed process is
 * taken over. A process that was stopped for so long that it lost its lock notices that, and gives up.
 */
export function lockInstallation(
  folder: string,
  { log, timers = systemTimers }: Parts,
): InstallLock {
  const path = join(folder, 'install.lock')
  const own = join(folder, `install.${randomUUID()}.lock`)
  const content = JSON.stringify({ pid: process.pid, id: own })
  writeFileSync(own, content, { mode: 0o600 })
  try {
    linkSync(own, path)
    rmSync(own)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || isHeld(path)) {
      rmSync(own)
      if (errorCode(error) !== 'EEXIST') throw error
      throw new ServiceError('speech_installing')
    }
    renameSync(own, path)
  }
  const lost = new AbortController()
  const isOwn = () => {
    const isHeldByUs = readLock(path) === content
    if (!isHeldByUs) lost.abort(new ServiceError('speech_installing'))
    return isHeldByUs
  }
  const touch = () => {
    try {
      const now = systemClock.now()
      if (isOwn()) utimesSync(path, now, now)
    } catch (error) {
      // A lock that cannot be touched becomes stale after a while. It is lost only if another process takes it.
      log.error({ err: error, path }, 'failed to touch the lock of the speech installation')
    }
    if (!lost.signal.aborted) cancelTouch = timers.after(TOUCH_MS, touch)
  }
  let cancelTouch = timers.after(TOUCH_MS, touch)
  return {
    lost: lost.signal,
    throwIfLost() {
      isOwn()
      lost.signal.throwIfAborted()
    },
    [Symbol.dispose]() {
      cancelTouch()
      if (isOwn()) rmSync(path, { force: true })
    },
  }
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function isHeld(path: string): boolean {
  const pid = Number(/"pid":(\d+)/.exec(readLock(path) ?? '')?.[1] ?? 0)
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return pid > 0 && isAlive(pid) && systemClock.now().getTime() - touchedAt < STALE_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
