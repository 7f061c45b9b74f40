import type { Pool, PoolClient } from 'pg'
import type { Log } from '../log.ts'
import { destroyConnection, findActiveStatement, internalsOf } from './lost-connections.ts'

const CHECK_INTERVAL_MS = 500

/** How many milliseconds a statement may wait for the first byte of an answer. */
export type AnswerTimeouts = {
  ordinary: number
  /** For slow statements, such as migrations and maintenance. */
  long: number
}

/** Closes connections whose statement gets no answer, because the server or the connection is stuck. */
export interface UnansweredStatementWatch extends Disposable {
  /** Applies the longer timeout to the connection until it is released to the pool. */
  allowLongStatements(client: PoolClient): void
}

type Waiting = { statement: object; bytesRead: number | undefined; checks: number }

/** Closes connections without an answer. The caller of the statement gets a transient error. */
export function startClosingUnansweredConnections(parts: {
  pool: Pool
  openClients: ReadonlySet<PoolClient>
  timeouts: AnswerTimeouts
  log: Log
}): UnansweredStatementWatch {
  const { pool, openClients, timeouts, log } = parts
  const long = new WeakSet<PoolClient>()
  const waiting = new WeakMap<PoolClient, Waiting>()
  pool.on('release', (_error, client) => long.delete(client))

  /** For how many consecutive checks the same statement has waited. Not a time, because this process may pause. */
  const countChecks = (client: PoolClient): number => {
    const statement = findActiveStatement(client)
    if (statement === null) return 0
    const { bytesRead } = internalsOf(client).connection.stream
    const known = waiting.get(client)
    const isSame = known?.statement === statement && known.bytesRead === bytesRead
    const checks = isSame ? known.checks + 1 : 0
    waiting.set(client, { statement, bytesRead, checks })
    return checks
  }
  const timer = setInterval(() => {
    for (const client of openClients) {
      const timeoutMs = long.has(client) ? timeouts.long : timeouts.ordinary
      if (countChecks(client) * CHECK_INTERVAL_MS < timeoutMs) continue
      log.warn({ timeoutMs }, 'closed a database connection whose statement got no answer')
      destroyConnection(client)
    }
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return {
    allowLongStatements: (client) => void long.add(client),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
