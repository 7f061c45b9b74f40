import type { Client, PoolClient } from 'pg'

/** Fields of a connection that the driver has but does not declare in its types. */
type DriverInternals = {
  /** Process id of the server process that serves the connection; null until it is connected. */
  processID: number | null
  connection: { stream: { destroy(): void; bytesRead?: number } }
  /** The statement whose answer is not complete, if any. */
  _getActiveQuery(): object | null | undefined
}

export function internalsOf(client: Client | PoolClient): DriverInternals {
  return client as unknown as DriverInternals
}

/** The statement that waits for its answer; null when there is none. */
export function findActiveStatement(client: Client | PoolClient): object | null {
  const { _getActiveQuery: getActiveStatement } = internalsOf(client)
  return getActiveStatement.call(client) ?? null
}

/** Closes the socket of a connection without waiting for the server. A statement on it fails with a transient error. */
export function destroyConnection(client: Client | PoolClient): void {
  internalsOf(client).connection.stream.destroy()
}
