import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConcurrencyLimit } from '../../src/lib/async/queues.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import { openCluster, type Cluster, type Token } from '../cluster/cluster.ts'
import type { FaultRow } from '../fault-row.ts'
import { startMeetings, waitUntilLive } from '../traffic/meetings.ts'
import { percentile } from '../traffic/percentile.ts'

const SIZES = {
  full: { streams: 2_000, tokens: 40, calls: 100 },
  short: { streams: 300, tokens: 6, calls: 40 },
}
/** The default limits of a node. */
const PER_CALLER = 50
const PER_NODE = 1_000
/** The median time of another caller's API call while the streams are open. */
const P50_MS = 250
const OPENED_AT_ONCE = 50
const HOLD_MS = 5_000

type OpenedStream = { status: number; retryAfter: string | undefined; response: IncomingMessage }

export const manyStreams: FaultRow = {
  about: 'one API key, then forty keys, open 2,000 event streams at one node',
  async run(context) {
    const size = context.isShort ? SIZES.short : SIZES.full
    await using cluster = await openCluster({ env: { HANSARD_TRUST_PROXY: '127.0.0.1' } })
    const [node] = cluster.nodes
    if (node === undefined) throw new Error('there is no node')
    try {
      const tokens = await cluster.createTokens(size.tokens)
      const ids = await startMeetings(cluster, 1, () => ({ url: 'practice://long?speed=1' }))
      await waitUntilLive(cluster, ids)
      const quietP50Ms = await measureCalls(cluster, node, size.calls)
      const one = await openStreams(cluster, node, tokens.slice(0, 1), size)
      const many = await openStreams(cluster, node, tokens, size)
      const problems = [
        ...judge('one key', one, PER_CALLER),
        ...judge(
          `${size.tokens} keys`,
          many,
          Math.min(PER_NODE, size.tokens * PER_CALLER, size.streams),
        ),
      ]
      return {
        figure: `API p50 ${quietP50Ms} ms; ${size.streams} streams of one key: ${one.opened} opened, ${one.refused} refused, p50 ${one.p50Ms} ms; of ${size.tokens} keys: ${many.opened} opened, ${many.refused} refused, p50 ${many.p50Ms} ms`,
        values: {
          quietP50Ms,
          oneKeyOpened: one.opened,
          oneKeyP50Ms: one.p50Ms,
          manyKeysOpened: many.opened,
          manyKeysP50Ms: many.p50Ms,
        },
        problems,
      }
    } finally {
      for (const each of cluster.nodes) context.saveLog(each.name, each.log())
    }
  },
}

type StreamCounts = {
  opened: number
  refused: number
  /** Counts refusals without Retry-After, and other statuses. */
  wrong: number
  /** Counts open streams on which nothing arrived. */
  silent: number
  p50Ms: number
}

function judge(what: string, { opened, wrong, silent, p50Ms }: StreamCounts, limit: number) {
  const problems: string[] = []
  if (opened !== limit) problems.push(`${what}: ${opened} streams opened, expected ${limit}`)
  if (wrong > 0) problems.push(`${what}: ${wrong} answers are neither 200 nor 429 with Retry-After`)
  if (silent > 0) problems.push(`${what}: nothing arrived on ${silent} open streams`)
  if (!(p50Ms <= P50_MS)) problems.push(`${what}: API p50 ${p50Ms} ms, allowed ${P50_MS} ms`)
  return problems
}

/** Opens streams with the tokens in turn, each from its own address, and calls the API meanwhile. */
async function openStreams(
  cluster: Cluster,
  node: ClusterNode,
  tokens: readonly Token[],
  { streams, calls }: { streams: number; calls: number },
): Promise<StreamCounts> {
  const measured = measureCalls(cluster, node, calls)
  const limit = createConcurrencyLimit(OPENED_AT_ONCE)
  const open = (at: number) => openStream(node.url(), tokens[at]?.apiKey ?? '', `192.0.2.${at + 1}`)
  const results = await Promise.all(
    Array.from({ length: streams }, (_, i) => limit(() => open(i % tokens.length))),
  )
  const opened = results.filter(({ status }) => status === 200)
  const refused = results.filter(
    ({ status, retryAfter }) => status === 429 && Number(retryAfter) > 0,
  )
  const received = new Set<IncomingMessage>()
  for (const { response } of opened) response.once('data', () => received.add(response))
  const whileOpening = await measured
  const [whileOpen] = await Promise.all([measureCalls(cluster, node, calls), sleep(HOLD_MS)])
  for (const { response } of results) response.destroy()
  return {
    opened: opened.length,
    refused: refused.length,
    wrong: results.length - opened.length - refused.length,
    silent: opened.length - received.size,
    p50Ms: Math.max(whileOpening, whileOpen),
  }
}

function openStream(url: string, apiKey: string, address: string): Promise<OpenedStream> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenedStream>()
  const headers = { 'x-api-key': apiKey, 'x-forwarded-for': address }
  const sent = request(`${url}/api/v1/events/stream`, { headers, agent: false }, (response) => {
    // The row itself destroys the responses.
    response.on('error', () => response.destroy())
    if (response.statusCode !== 200) response.resume()
    const retryAfter = response.headers['retry-after']
    resolve({ status: response.statusCode ?? 0, retryAfter, response })
  })
  sent.on('error', reject).end()
  return promise
}

/** The median time of successive calls, in milliseconds. */
async function measureCalls(cluster: Cluster, node: ClusterNode, count: number): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < count; i += 1) {
    const began = performance.now()
    const { status } = await cluster.call(node, 'GET', '/api/v1/meetings/status')
    times.push(status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
  }
  return Math.round(percentile(times, 0.5) * 10) / 10
}
