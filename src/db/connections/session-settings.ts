import { DatabaseError, type ClientBase } from 'pg'
import type { Log } from '../../log.ts'

/** How long the operating system may be without a packet of the other side before it tests a connection. */
export const KEEP_ALIVE_AFTER_MS = 3_000
/**
 * Settings of PostgreSQL for a connection over a network: it notices within about ten seconds that this node cannot be
 * reached, rolls back the node's transactions and releases their locks. By default that takes two hours.
 */
const SESSION_SETTINGS = [
  `set tcp_keepalives_idle = ${KEEP_ALIVE_AFTER_MS / 1000}`,
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 10000',
].join('; ')

/** Tells the server to close a new connection soon after the link to this node is lost. */
export async function applyServerKeepAliveSettings(client: ClientBase, log: Log): Promise<void> {
  try {
    await client.query(SESSION_SETTINGS)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // A server on another operating system may not support them. Everything else works without them.
    log.debug({ reason: error.message }, 'the server refused the keep-alive settings')
  }
}
