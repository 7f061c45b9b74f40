import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { errorCode } from '../../src/lib/error-code.ts'
import { END_NODE_CONNECTIONS } from '../cluster/database-server.ts'
import type { FaultRow } from '../fault-row.ts'
import { runUnderTraffic, seconds } from '../traffic/under-traffic.ts'

/** During an outage, bots stay in their meetings. They write when the database is back. */
const AFTER_OUTAGE_MS = 15_000
const DOWN_MS = 3_000
/** PostgreSQL's error code for an exhausted server. */
const TOO_MANY_CONNECTIONS = '53300'
const TAKEN_AT_ONCE = 10
const RESTARTS = ['fast', 'crash', 'fast'] as const

export const databaseRestart: FaultRow = {
  about: 'the database is shut down, crashes and is shut down again, 3 s each',
  run: (context) =>
    runUnderTraffic({
      context,
      async inject(traffic) {
        const { database } = traffic.cluster
        const times: number[] = []
        for (const how of RESTARTS.slice(0, context.isShort ? 2 : 3)) {
          await database.end(how)
          await sleep(DOWN_MS)
          await database.start()
          times.push(await traffic.waitUntilAttended(Date.now(), AFTER_OUTAGE_MS, `after a ${how}`))
        }
        const slowestMs = Math.max(...times)
        return {
          figure: `${times.length} restarts, attended again in at most ${seconds(slowestMs)}`,
          values: { restarts: times.length, slowestMs },
        }
      },
    }),
}

export const databaseFrozen: FaultRow = {
  about: 'all processes of the database are stopped with SIGSTOP for 30 s and go on',
  run: (context) =>
    runUnderTraffic({
      context,
      async inject(traffic) {
        const frozenMs = context.isShort ? 10_000 : 30_000
        traffic.cluster.database.pause()
        await sleep(frozenMs)
        traffic.cluster.database.resume()
        const attendedMs = await traffic.waitUntilAttended(
          Date.now(),
          AFTER_OUTAGE_MS,
          'after the database goes on',
        )
        return {
          figure: `frozen for ${seconds(frozenMs)}, attended again after ${seconds(attendedMs)}`,
          values: { frozenMs, attendedMs },
        }
      },
    }),
}

export const connectionsKilled: FaultRow = {
  about: 'the database ends all connections of the nodes, ten times, 2 s apart',
  run: (context) =>
    runUnderTraffic({
      context,
      async inject(traffic) {
        let killed = 0
        for (let i = 0; i < (context.isShort ? 4 : 10); i += 1) {
          killed += await traffic.cluster.database.endNodeConnections()
          await sleep(2_000)
        }
        const attendedMs = await traffic.waitUntilAttended(
          Date.now(),
          AFTER_OUTAGE_MS,
          'after the last time',
        )
        return {
          figure: `${killed} connections ended, attended again after ${seconds(attendedMs)}`,
          values: { killed, attendedMs },
        }
      },
    }),
}

export const connectionsExhausted: FaultRow = {
  about: 'another program takes all connections of the database for 20 s',
  run: (context) =>
    runUnderTraffic({
      context,
      async inject(traffic) {
        const { database } = traffic.cluster
        const heldMs = context.isShort ? 8_000 : 20_000
        const taken: Client[] = []
        // This connection is kept, because no other can be opened later.
        const own = await database.connect()
        const until = performance.now() + heldMs
        while (performance.now() < until) {
          await takeAllConnections(database, taken)
          await own.query(END_NODE_CONNECTIONS)
          // Takes the free connections before the nodes open new ones.
          await takeAllConnections(database, taken)
          await sleep(250)
        }
        await Promise.all([own, ...taken].map((client) => client.end()))
        const attendedMs = await traffic.waitUntilAttended(
          Date.now(),
          AFTER_OUTAGE_MS,
          'after the connections are free',
        )
        return {
          figure: `${taken.length} connections taken for ${seconds(heldMs)}, attended again after ${seconds(attendedMs)}`,
          values: { taken: taken.length, attendedMs },
        }
      },
    }),
}

/** Opens connections until the server has none left. */
async function takeAllConnections(
  database: { connect(): Promise<Client> },
  taken: Client[],
): Promise<void> {
  for (;;) {
    const opened = await Promise.allSettled(
      Array.from({ length: TAKEN_AT_ONCE }, () => database.connect()),
    )
    for (const each of opened) if (each.status === 'fulfilled') taken.push(each.value)
    const refused = opened.find((each) => each.status === 'rejected')
    if (refused === undefined) continue
    if (errorCode(refused.reason) !== TOO_MANY_CONNECTIONS) throw refused.reason
    return
  }
}
