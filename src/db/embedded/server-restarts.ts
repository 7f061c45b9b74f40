import { OperatorError } from '../../errors.ts'
import { waitUntilSettled } from '../../lib/async/await-later.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import type { PostgresServer } from './postgres-server.ts'

const RESTART_DELAYS_MS = [0, 250, 1_000, 4_000, 8_000]

type Parts = {
  /** The server that runs already. */
  server: PostgresServer
  /** Starts the next one. Null when another process uses the cluster, or the signal aborts. */
  start(signal: AbortSignal): Promise<PostgresServer | null>
  log: Log
}

/** Restarts the server when it ends, until it is closed. `lost` rejects when it could not be restarted. */
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
