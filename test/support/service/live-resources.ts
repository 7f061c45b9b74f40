import { createHook } from 'node:async_hooks'
import { readdirSync, readFileSync } from 'node:fs'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { errorCode } from '../../../src/lib/error-code.ts'

/** Node's names for resources that a part of the service has to close. */
const KINDS: Readonly<Record<string, string>> = {
  Timeout: 'timer',
  TCPWRAP: 'socket',
  PIPEWRAP: 'socket',
  TLSWRAP: 'socket',
  UDPWRAP: 'socket',
  TCPSERVERWRAP: 'server',
  PIPESERVERWRAP: 'server',
  PROCESSWRAP: 'child process',
  WORKER: 'thread',
  FSEVENTWRAP: 'file watcher',
  GETADDRINFOREQWRAP: 'DNS lookup',
}

const OWN_FRAMES = /live-resources\.ts|node:internal\/async_hooks/

export type LiveResources = Disposable & {
  /** The resources that were created since tracking began and are still open, with the stack of their creation. */
  list(): string[]
}

/**
 * Tracks timers, sockets, child processes and threads of this process. It also finds timers that do not keep the
 * process running, which `process.getActiveResourcesInfo()` does not list.
 */
export function trackLiveResources(): LiveResources {
  const live = new Map<number, { kind: string; stack: string }>()
  const childrenBefore = new Set(listChildren())
  const options = {
    // Promises are not resources, and following them is slow.
    trackPromises: false,
    init(id: number, type: string) {
      const kind = KINDS[type]
      if (kind !== undefined) live.set(id, { kind, stack: readStack() })
    },
    destroy: (id: number) => void live.delete(id),
  }
  const hook = createHook(options).enable()
  return {
    list: () => [
      ...[...live.values()]
        .filter(({ stack }) => !isOfTest(stack))
        .map(({ kind, stack }) => `${kind}, created by\n${stack}`),
      ...listChildren()
        .filter((pid) => !childrenBefore.has(pid))
        .map((pid) => `child process ${pid}: ${readCommand(pid)}`),
    ],
    [Symbol.dispose]: () => void hook.disable(),
  }
}

function readStack(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 30
  const { stack = '' } = new Error('created')
  Error.stackTraceLimit = stackTraceLimit
  return stack
    .split('\n')
    .filter((line) => line.includes('    at ') && !OWN_FRAMES.test(line))
    .join('\n')
}

/** Tests, the stage and Node itself own timers and sockets too. For example, Node caches the date of HTTP responses. */
function isOfTest(stack: string): boolean {
  // The timer of `AbortSignal.timeout` cannot be cancelled. It is collected together with its signal.
  if (stack.includes('AbortSignal.timeout')) return true
  const ours = stack.split('\n').find((line) => line.includes(INSTALLATION_FOLDER))
  return ours === undefined || /\/(?:test|stage)\//.test(ours.replace(INSTALLATION_FOLDER, ''))
}

/** The child processes of this process, on Linux. */
function listChildren(): string[] {
  try {
    return readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((pid) => pid !== ''),
    )
  } catch (error) {
    // Another system, or a thread that has just ended.
    if (['ENOENT', 'ESRCH'].includes(errorCode(error))) return []
    throw error
  }
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'ended'
    throw error
  }
}
