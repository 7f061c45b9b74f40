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
import { systemClock } from '../../lib/time/clock.ts'

/** A lock that its process has not touched for this time is left over from a process that was killed. */
const STALE_MS = 60_000
const TOUCH_MS = 10_000

/**
 * Lets one process at a time install into a folder. A second one gets an error; what a killed process left is taken
 * over. Should two processes take it over at the same moment, both install correctly, because each works in a folder of
 * its own and puts the result in place by one rename.
 */
export function lockInstallation(folder: string): Disposable {
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
  const isOwn = () => readLock(path) === content
  const timer = setInterval(() => {
    const now = systemClock.now()
    if (isOwn()) utimesSync(path, now, now)
  }, TOUCH_MS)
  timer.unref()
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
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
