import type { Pool, PoolClient } from 'pg'
import type { Log } from '../log.ts'
import { destroyConnection, findActiveStatement, internalsOf } from './lost-connections.ts'

const CHECK_INTERVAL_MS = 500

/** For how long a statement may stay without any byte of an answer, in milliseconds. */
export type AnswerTimeouts = {
  ordinary: number
  /** For statements that may take long, such as migrations and maintenance. */
  long: number
}

/** Closes connections whose statement gets no answer, because the server or the connection is stuck. */
export interface UnansweredStatementWatch extends Disposable {
  /** The longer timeout applies to the connection until it is released to the pool. */
  allowLongStatements(client: PoolClient): void
}

type Waiting = { statement: object; bytesRead: number | undefined; checks: number }

/** The caller of a statement without an answer gets a transient error. */
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

  /** For how many checks in a row the same statement has waited. Checks are counted, not time: this process may have paused. */
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
