import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import type { Log } from '../../../log.ts'
import { errorCode } from '../../../lib/error-code.ts'

export type BrowserProcess = { type: string; id: number }

/**
 * Gives the processes that render pages a lower priority than the service and the browser process that passes their
 * captions on. Otherwise twenty pages on a full machine keep captions and API requests waiting.
 */
export function createRendererPriorityLowering(log: Log) {
  let lowered: ReadonlySet<number> = new Set()
  return (processes: readonly BrowserProcess[]): void => {
    const threads = processes
      .filter(({ type }) => type === 'renderer')
      .flatMap(({ id }) => listThreads(id))
    for (const id of threads) if (!lowered.has(id)) lowerPriority(id, log)
    lowered = new Set(threads)
  }
}

/**
 * On Linux each thread has its own priority, and that of a process is only the one of its main thread. If only the main
 * thread had a lower priority, it would wait with the captions for the threads that draw the page.
 */
function listThreads(pid: number): number[] {
  if (process.platform !== 'linux') return [pid]
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch (error) {
    // The process has ended already.
    if (['ENOENT', 'ESRCH'].includes(errorCode(error))) return []
    throw error
  }
}

function lowerPriority(id: number, log: Log): void {
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    setPriority(id, Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW))
  } catch (error) {
    // The process or thread has ended already.
    if (errorCode(error) === 'ERR_SYSTEM_ERROR' && /ESRCH/.test(String(error))) return
    log.warn({ err: error, threadId: id }, 'failed to lower the priority of a page')
  }
}
