import { strict as assert } from 'node:assert'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../lib/operator-error.ts'
import { waitUntilSettled } from '../../lib/async/await-later.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import type { Log } from '../../log.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type OsAccount, clusterPathSeenByServer, socketFolderSeenByServer } from './os-account.ts'
import { readPostmasterPidFileIfExists, removeStaleEmptyLock } from './postmaster.ts'

const READY_TIMEOUT_MS = 60_000
/** How long to wait after a request to stop, and again after the signal for an immediate stop. */
const STOP_TIMEOUT_MS = 8_000
const MAX_LOG_BYTES = 4 * 1024 * 1024

const SERVER_OPTIONS = {
  listen_addresses: '',
  unix_socket_permissions: '0600',
  max_connections: '60',
  shared_buffers: '64MB',
  dynamic_shared_memory_type: 'mmap',
  jit: 'off',
  log_min_messages: 'warning',
  // Failing statements contain meeting content, which must not get into the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_timezone: 'UTC',
  timezone: 'UTC',
}

/**
 * Shell script that runs the server and watches its own standard input, which Hansard keeps open. When Hansard ends,
 * even by kill -9, the script sends SIGINT to the server. `3<&-` closes the pipe in the server process.
 */
const SUPERVISOR = `
exec 3<&0 </dev/null
"$@" 3<&- >&2 &
server=$!
echo $server
( read -r _ <&3; kill -INT $server ) 2>/dev/null &
watcher=$!
wait $server
status=$?
kill $watcher 2>/dev/null
exit $status
`

export type PostgresServer = {
  /** Settles when the server has ended, by a stop or a crash. */
  ended: Promise<void>
  stop(): Promise<void>
}

export type PostgresStartOptions = {
  cluster: string
  logFile: string
  account: OsAccount | null
  binaries: PostgresBinaries
  /** Server settings that override the usual ones. */
  serverOptions?: Readonly<Record<string, string>>
  stopTimeoutMs?: number
}

const RESTART_DELAYS_MS = [0, 250, 1_000, 4_000, 8_000]

type Parts = {
  /** The server that is already running. */
  server: PostgresServer
  /** Starts the next server. Null if another process uses the cluster, or if the signal aborts. */
  start(signal: AbortSignal): Promise<PostgresServer | null>
  log: Log
}

/** Starts PostgreSQL on a cluster. Null if another server uses it, or if the signal aborts before it is ready. */
export async function startPostgres(
  setup: PostgresStartOptions,
  signal?: AbortSignal,
): Promise<PostgresServer | null> {
  const log = openLog(setup.logFile)
  const logStart = statSync(setup.logFile).size
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', ...postgresCommand(setup)], {
    cwd: setup.cluster,
    // A separate process group: Ctrl-C in the terminal reaches only Hansard, which then stops the server in order.
    detached: true,
    stdio: ['pipe', 'pipe', log],
    env: { PATH: '/usr/bin:/bin' },
    ...setup.account,
  })
  closeSync(log)
  assert(child.stdin && child.stdout)
  const ended = once(child, 'exit').then(() => undefined)
  const pid = once(child.stdout, 'data').then(([line]) => Number(String(line)))
  // A broken pipe only means that the supervisor has already ended.
  child.stdin.on('error', () => child.stdin?.destroy())

  const serverPid = await Promise.race([pid, ended])
  const stop = () => stopPostgres(child, serverPid, ended, setup.stopTimeoutMs ?? STOP_TIMEOUT_MS)
  if (await waitUntilReady(child, serverPid, setup.cluster, signal)) return { ended, stop }
  await stop()
  if (signal?.aborted) return null
  const output = readFileSync(setup.logFile, 'utf8').slice(logStart)
  // Another server is creating its lock file, or crashed while it did.
  const isEmpty = /lock file ".*" is empty/i.test(output)
  if (isEmpty) removeStaleEmptyLock(setup.cluster)
  if (isEmpty || /lock file ".*" already exists|is another postmaster/i.test(output)) return null
  throw startError(output)
}

function postgresCommand(setup: PostgresStartOptions): string[] {
  const unix_socket_directories = socketFolderSeenByServer(setup.cluster)
  const options = Object.entries({
    ...SERVER_OPTIONS,
    unix_socket_directories,
    ...setup.serverOptions,
  })
  return [
    join(setup.binaries.binFolder, 'postgres'),
    '-D',
    clusterPathSeenByServer(setup.cluster, setup.account),
    ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** Checks the process number, because the cluster may still contain another server's file. */
async function waitUntilReady(
  child: ChildProcess,
  pid: number | undefined,
  cluster: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (child.exitCode === null && child.signalCode === null) {
    const found = readPostmasterPidFileIfExists(cluster)
    if (found?.isReady && found.pid === pid) return true
    if (signal?.aborted || performance.now() > deadline) return false
    await sleep(10)
  }
  return false
}

async function stopPostgres(
  child: ChildProcess,
  pid: number | undefined,
  ended: Promise<void>,
  timeoutMs: number,
): Promise<void> {
  child.stdin?.end()
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const timeout = sleep(timeoutMs, 'late' as const, { ref: false })
    if ((await Promise.race([ended, timeout])) !== 'late' || pid === undefined) return
    if (child.exitCode === null) process.kill(pid, signal)
  }
  await ended
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(path)
  const fd = openSync(path, 'a', 0o600)
  inheritOwnerSync(path, { fd })
  return fd
}

function startError(output: string): OperatorError {
  const line =
    output.split('\n').findLast((text) => /FATAL|PANIC|could not/.test(text)) ?? output.trim()
  return new OperatorError(
    `The database server did not start: ${line.replace(/^.*?(FATAL|PANIC):\s*/, '')}`,
    /no space/i.test(output)
      ? 'Free some disk space, then start Hansard again'
      : 'See logs/postgres.log in the data folder',
  )
}

/** Restarts the server when it ends, until it is closed. `lost` rejects if a restart fails. */
export function startRestarting({ server: first, start, log }: Parts): {
  lost: Promise<never>
  close(): Promise<void>
} {
  const closing = new AbortController()
  const wakeUp = createWakeableSleep()
  let server = first

  const restart = async (): Promise<PostgresServer | null> => {
    for (const delay of RESTART_DELAYS_MS) {
      await wakeUp.sleep(delay)
      if (closing.signal.aborted) return null
      try {
        const restarted = await start(closing.signal)
        if (restarted !== null) return restarted
      } catch (error) {
        log.error({ err: error }, 'failed to restart database server')
      }
    }
    if (closing.signal.aborted) return null
    throw new OperatorError('The database server stopped and could not be restarted')
  }
  const run = async (): Promise<void> => {
    for (;;) {
      await server.ended
      if (closing.signal.aborted) return
      log.error('database server ended unexpectedly')
      const restarted = await restart()
      if (restarted === null) return
      server = restarted
      // It became ready while the database was being closed.
      if (closing.signal.aborted) return server.stop()
    }
  }
  const running = run()
  const lost = running.then(() => new Promise<never>(() => {}))
  lost.catch((error: unknown) => log.fatal({ err: error }, 'database server lost'))
  return {
    lost,
    async close() {
      closing.abort()
      wakeUp.wake()
      await server.stop()
      // A restart that has begun may still produce a server.
      await waitUntilSettled(running)
    },
  }
}
