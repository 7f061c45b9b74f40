import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'

const INTERVAL_MS = 1_000
const TIMEOUT_MS = 5_000
/** Answers of a node that cannot take a meeting. Status 0 means that the node is dead or paused. */
const REFUSALS = new Set([0, 429, 503])

export type BackgroundStarts = AsyncDisposable & {
  /** Ends the starts and returns the answers. */
  stop(): Promise<StartAnswers>
}

export type StartAnswers = {
  /** The meetings that a node promised to attend. */
  ids: string[]
  refused: number
  /** Answers that are neither a promise nor a refusal. */
  problems: string[]
}

/** Starts a short meeting every second, on the nodes in turn, even on dead or paused ones. */
export function startBackgroundStarts(cluster: Cluster): BackgroundStarts {
  const answers: StartAnswers = { ids: [], refused: 0, problems: [] }
  const pending = new Set<Promise<void>>()
  const stopping = new AbortController()
  const start = async (i: number) => {
    const node = cluster.nodes[i % cluster.nodes.length]
    if (node === undefined) throw new Error('there is no node')
    const body = { url: 'practice://host-ends?speed=4', callbackUrl: cluster.receiver.url }
    const options = { body, timeoutMs: TIMEOUT_MS }
    const answer = await cluster.call(node, 'POST', '/api/v1/meetings/start', options)
    if (answer.status === 201) answers.ids.push(String(answer.body['meetingId']))
    else if (REFUSALS.has(answer.status)) answers.refused += 1
    else answers.problems.push(`a start at ${node.name} answered ${answer.status}`)
  }
  const run = async () => {
    for (let i = 0; !stopping.signal.aborted; i += 1) {
      const started = start(i).finally(() => pending.delete(started))
      pending.add(started)
      await sleep(INTERVAL_MS, null, { signal: stopping.signal }).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error
      })
    }
  }
  const running = run()
  const stop = async () => {
    stopping.abort()
    await running
    await Promise.all(pending)
    return answers
  }
  return {
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
