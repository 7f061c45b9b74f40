import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import {
  openFaultyDatabaseServer,
  type FaultyDatabaseServer,
} from '../../../faults/cluster/database-server.ts'
import { NODE_MESSAGE_CHANNEL } from '../../../src/db/nodes/heartbeats.ts'
import { printFigures, type Figure } from './goals.ts'

const NODE_COUNTS = [2, 10, 30]
const SENDERS = 8
const SECONDS = 4
/** As long as a partial caption. */
const TEXT = 'x'.repeat(300)

/** How many messages between nodes one PostgreSQL passes on per second, on a real disk. */
export async function measureMessages(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const place = mkdtempSync(join(tmpdir(), 'hansard-bench-messages-'))
  stack.defer(() => rmSync(place, { recursive: true, force: true }))
  const server = stack.use(
    await openFaultyDatabaseServer({ fsync: 'on' }, mkdtempSync(join(place, 'pg-'))),
  )
  const figures: Figure[] = []
  for (const nodes of NODE_COUNTS)
    figures.push({
      name: `${nodes} nodes`,
      value: (await measureRate(server, nodes)).toFixed(0),
    })
  printFigures(`messages between nodes a second, ${SENDERS} senders`, figures)
}

async function measureRate(server: FaultyDatabaseServer, nodes: number): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const connect = async () => {
    const client: Client = await server.connect()
    stack.defer(() => client.end())
    return client
  }
  for (let i = 0; i < nodes; i += 1) await (await connect()).query(`listen ${NODE_MESSAGE_CHANNEL}`)
  const senders: Client[] = []
  for (let i = 0; i < SENDERS; i += 1) senders.push(await connect())
  let sent = 0
  const until = performance.now() + SECONDS * 1000
  const send = async (client: Client) => {
    while (performance.now() < until) {
      await client.query('select pg_notify($1, $2)', [NODE_MESSAGE_CHANNEL, TEXT])
      sent += 1
    }
  }
  await Promise.all(senders.map(send))
  return sent / SECONDS
}
