import { DatabaseError, type ClientBase } from 'pg'
import type { Log } from '../../log.ts'

/** How long the operating system may be without a packet of the other side before it tests a connection. */
export const KEEP_ALIVE_AFTER_MS = 3_000
/**
 * Settings of PostgreSQL for a connection over a network: it notices within about ten seconds that this node cannot be
 * reached, rolls back the node's transactions and releases their locks. By default that takes two hours.
 */
const NETWORK_SETTINGS = [
  `set tcp_keepalives_idle = ${KEEP_ALIVE_AFTER_MS / 1000}`,
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 10000',
].join('; ')

/**
 * Tells the server when to close a new connection whose transaction has locks: after the time that this node may take
 * between two statements, or soon after the link to this node is lost. Otherwise a node that hangs or is paused would
 * keep other nodes from taking over its work.
 */
export async function applySessionSettings(
  client: ClientBase,
  { isRemote, betweenStatementsMs }: { isRemote: boolean; betweenStatementsMs: number },
  log: Log,
): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${betweenStatementsMs}`)
  if (!isRemote) return
  try {
    await client.query(NETWORK_SETTINGS)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // A server on another operating system may not support them. Everything else works without them.
    log.debug({ reason: error.message }, 'the server refused the keep-alive settings')
  }
}
