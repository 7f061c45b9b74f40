import { strict as assert } from 'node:assert'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../errors.ts'
import { clusterPath, type OsAccount } from './os-account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { readPostmaster, removeStaleEmptyLock } from './postmaster.ts'
import { serverSocketFolder } from './socket-folder.ts'

const READY_TIMEOUT_MS = 60_000
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
  // The texts of failing statements would carry people's words into the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_timezone: 'UTC',
  timezone: 'UTC',
}

/**
 * Waits for the server and for the end of its own input, which our process holds open: when we end,
 * even by kill -9, the server gets SIGINT and stops. `3<&-` keeps the pipe out of the server.
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
  /** Settles when the server has ended, wanted or not. */
  ended: Promise<void>
  stop(): Promise<void>
}

export type PostgresSetup = {
  cluster: string
  logFile: string
  account: OsAccount | null
  binaries: PostgresBinaries
}

/** Null when another server holds the cluster. */
export async function startPostgres(place: PostgresSetup): Promise<PostgresServer | null> {
  const log = openLog(place.logFile)
  const logStart = statSync(place.logFile).size
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', ...postgresCommand(place)], {
    cwd: place.cluster,
    // A group of its own: Ctrl-C in the terminal is for us, we then stop the server in order.
    detached: true,
    stdio: ['pipe', 'pipe', log],
    env: { PATH: '/usr/bin:/bin' },
    ...place.account,
  })
  closeSync(log)
  assert(child.stdin && child.stdout)
  const ended = once(child, 'exit').then(() => undefined)
  const pid = once(child.stdout, 'data').then(([line]) => Number(String(line)))
  // A broken pipe here only says that the supervisor went first.
  child.stdin.on('error', () => child.stdin?.destroy())

  if (await waitUntilReady(child, await Promise.race([pid, ended]), place.cluster)) {
    return { ended, stop: () => stopPostgres(child, place.cluster, ended) }
  }
  const said = readFileSync(place.logFile, 'utf8').slice(logStart)
  // Another one is just making its lock file, or left it like that.
  const isEmpty = /lock file ".*" is empty/i.test(said)
  if (isEmpty) removeStaleEmptyLock(place.cluster)
  if (isEmpty || /lock file ".*" already exists|is another postmaster/i.test(said)) return null
  throw startError(said)
}

function postgresCommand(place: PostgresSetup): string[] {
  const unix_socket_directories = serverSocketFolder(place.cluster)
  const options = Object.entries({ ...SERVER_OPTIONS, unix_socket_directories })
  return [
    join(place.binaries.bin, 'postgres'),
    '-D',
    clusterPath(place.cluster, place.account),
    ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** The cluster may still show another server's file, so only one with our own process counts. */
async function waitUntilReady(
  child: ChildProcess,
  pid: number | undefined,
  cluster: string,
): Promise<boolean> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (child.exitCode === null && child.signalCode === null) {
    const found = readPostmaster(cluster)
    if (found?.isReady && found.pid === pid) return true
    if (performance.now() > deadline) {
      child.stdin?.end()
      return false
    }
    await sleep(10)
  }
  return false
}

async function stopPostgres(
  child: ChildProcess,
  cluster: string,
  ended: Promise<void>,
): Promise<void> {
  const pid = readPostmaster(cluster)?.pid
  child.stdin?.end()
  const timeout = sleep(STOP_TIMEOUT_MS, 'late' as const, { ref: false })
  if (
    (await Promise.race([ended, timeout])) === 'late' &&
    pid !== undefined &&
    child.exitCode === null
  ) {
    process.kill(pid, 'SIGQUIT')
    await ended
  }
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(path)
  return openSync(path, 'a', 0o600)
}

function startError(said: string): OperatorError {
  const line =
    said.split('\n').findLast((text) => /FATAL|PANIC|could not/.test(text)) ?? said.trim()
  return new OperatorError(
    `The database did not start: ${line.replace(/^.*?(FATAL|PANIC):\s*/, '')}`,
    /no space/i.test(said)
      ? 'Free some disk space, then start again'
      : 'See logs/postgres.log in the data folder',
  )
}
