import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRow } from '../fault-row.ts'
import { runUnderTraffic, seconds, type Traffic } from '../traffic/under-traffic.ts'

/** A crashed node is detected within about a second. Its meetings are then joined again. */
const AFTER_KILL_MS = 10_000
/** A paused node is dead after 15 s. Its meetings are then joined again. */
const AFTER_PAUSE_MS = 25_000
const AFTER_RESUME_MS = 5_000
/** The other nodes take over after a pause of this length. */
const DEAD_AFTER_S = 15

function nodeAt({ cluster }: Traffic, i: number) {
  const node = cluster.nodes[i % cluster.nodes.length]
  if (node === undefined) throw new Error('there is no node')
  return node
}

export const kills: FaultRow = {
  about: 'each node is killed with SIGKILL in turn and started again, ten times in all',
  run: (context) =>
    runUnderTraffic({
      context,
      async inject(traffic) {
        const count = context.isShort ? 3 : 10
        const times: number[] = []
        for (let i = 0; i < count; i += 1) {
          const node = nodeAt(traffic, i)
          const killedAt = Date.now()
          await node.kill()
          times.push(
            await traffic.waitUntilAttended(killedAt, AFTER_KILL_MS, `after kill ${i + 1}`),
          )
          await node.start()
        }
        const slowestMs = Math.max(...times)
        return {
          figure: `${count} kills, attended again in at most ${seconds(slowestMs)}`,
          values: { kills: count, slowestMs },
        }
      },
    }),
}

export function pauseOf(pauseSeconds: number): FaultRow {
  return {
    about: `a node is stopped with SIGSTOP for ${pauseSeconds} s and goes on`,
    run: (context) =>
      runUnderTraffic({
        context,
        async inject(traffic) {
          const node = nodeAt(traffic, 1)
          const pausedAt = Date.now()
          node.pause()
          const pause = sleep(pauseSeconds * 1000)
          const isTakenOver = pauseSeconds > DEAD_AFTER_S
          const takenOver = isTakenOver
            ? traffic.waitUntilAttended(pausedAt, AFTER_PAUSE_MS, 'after the pause began')
            : null
          await pause
          node.resume()
          const resumedAt = Date.now()
          const takenOverMs = await takenOver
          const attendedMs = await traffic.waitUntilAttended(
            resumedAt,
            isTakenOver ? AFTER_PAUSE_MS : AFTER_RESUME_MS,
            'after the pause',
          )
          return {
            figure:
              takenOverMs === null
                ? `attended again ${seconds(attendedMs)} after the pause`
                : `attended again ${seconds(takenOverMs)} after the pause began`,
            values: { attendedMs, ...(takenOverMs !== null && { takenOverMs }) },
          }
        },
      }),
  }
}

export const rollingRestart: FaultRow = {
  about: 'all nodes are stopped with SIGTERM and started again, one after the other',
  run: (context) =>
    runUnderTraffic({
      context,
      async inject(traffic) {
        const times: number[] = []
        for (const node of traffic.cluster.nodes) {
          const stoppedAt = Date.now()
          const { code } = await node.stop()
          if (code !== 0) traffic.report(`${node.name} exited with ${code}`)
          times.push(
            await traffic.waitUntilAttended(stoppedAt, AFTER_KILL_MS, `after ${node.name} stopped`),
          )
          await node.start()
        }
        const slowestMs = Math.max(...times)
        return {
          figure: `${times.length} restarts, attended again in at most ${seconds(slowestMs)}`,
          values: { restarts: times.length, slowestMs },
        }
      },
    }),
}
