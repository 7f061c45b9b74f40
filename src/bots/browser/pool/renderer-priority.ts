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
    const renderers = processes.filter(({ type }) => type === 'renderer').map(({ id }) => id)
    for (const pid of renderers) if (!lowered.has(pid)) lowerPriority(pid, log)
    lowered = new Set(renderers)
  }
}

function lowerPriority(pid: number, log: Log): void {
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    setPriority(pid, Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW))
  } catch (error) {
    // The process has ended already.
    if (errorCode(error) === 'ERR_SYSTEM_ERROR' && /ESRCH/.test(String(error))) return
    log.warn({ err: error, pid }, 'failed to lower the priority of a page')
  }
}
