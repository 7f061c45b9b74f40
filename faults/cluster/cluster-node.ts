import { join } from 'node:path'
import {
  startServiceProcess,
  type Environment,
  type ExitStatus,
  type ServiceProcess,
} from '../../test/support/service/service-process.ts'

/** One node of the cluster. Each start creates a new process on another port. */
export type ClusterNode = AsyncDisposable & {
  name: string
  url(): string
  pid(): number
  /** True if the process exists, even if it is paused. */
  isStarted(): boolean
  /** True if the node should answer: it is started and not paused. */
  isRunning(): boolean
  setupLink(): string | null
  start(): Promise<void>
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Ends the process with SIGTERM and returns how it ended. */
  stop(): Promise<ExitStatus>
  /** Stops the process with SIGSTOP. */
  pause(): void
  resume(): void
  /** The logs of all processes of this node. */
  log(): string
}

export type ClusterNodeOptions = {
  name: string
  env: Environment
  /** How far the node's machine clock is ahead. */
  clockOffsetMs: number
}

const SHIFT_CLOCK = join(import.meta.dirname, 'shift-clock.ts')

export function createClusterNode({ name, env, clockOffsetMs }: ClusterNodeOptions): ClusterNode {
  let service: ServiceProcess | null = null
  let isRunning = false
  let isPaused = false
  let log = ''
  const current = () => {
    if (service === null) throw new Error(`${name} is not started`)
    return service
  }
  const keepLog = () => {
    log += `${current().stdout()}${current().stderr()}`
  }
  const resume = () => {
    current().kill('SIGCONT')
    isPaused = false
  }
  const kill = async () => {
    isRunning = false
    if (isPaused) resume()
    current().kill('SIGKILL')
    await current().exited
    keepLog()
  }
  return {
    name,
    url: () => current().url,
    pid: () => current().pid,
    isStarted: () => isRunning,
    isRunning: () => isRunning && !isPaused,
    setupLink: () => current().setupLink,
    async start() {
      const offset = { FAULTS_CLOCK_OFFSET_MS: String(clockOffsetMs) }
      service = await startServiceProcess(
        { ...env, ...offset },
        { node: [process.execPath, ...(clockOffsetMs === 0 ? [] : ['--import', SHIFT_CLOCK])] },
      )
      isRunning = true
    },
    kill,
    async stop() {
      isRunning = false
      const status = await current().stop('SIGTERM')
      keepLog()
      return status
    },
    pause() {
      isPaused = true
      current().kill('SIGSTOP')
    },
    resume,
    log: () => (isRunning ? `${log}${current().stdout()}${current().stderr()}` : log),
    async [Symbol.asyncDispose]() {
      if (isRunning) await kill()
    },
  }
}
