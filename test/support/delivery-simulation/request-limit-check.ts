import type { RequestSlotLimits } from '../../../src/deliveries/attempt-limiter.ts'
import type { PostRequest } from '../../../src/deliveries/transport.ts'

type Sender = { nodeId: string; record: { tokenId: string } }

/** Counts the requests in flight on each node and checks them against every limit. */
export function createRequestLimitCheck(
  limits: RequestSlotLimits,
  assert: (isTrue: boolean, text: () => string) => void,
) {
  const counts = new Map<string, number>()

  const limitsFor = ({ nodeId, record }: Sender, { url, pool }: PostRequest) => {
    const { origin, pathname } = new URL(url)
    const receiver = `${origin}${pathname}`
    const kindLimits: Array<[string, number]> =
      pool === 'healthy'
        ? [[`${nodeId} healthy ${record.tokenId} ${receiver}`, limits.healthy]]
        : [
            [`${nodeId} failing ${receiver}`, limits.failing],
            [`${nodeId} failing`, limits.allFailing],
          ]
    return [...kindLimits, [`${nodeId} total`, limits.total] satisfies [string, number]]
  }
  return {
    enter(sender: Sender, request: PostRequest) {
      for (const [name, limit] of limitsFor(sender, request)) {
        const count = (counts.get(name) ?? 0) + 1
        counts.set(name, count)
        assert(count <= limit, () => `${count} requests in flight: ${name}`)
      }
    },
    leave(sender: Sender, request: PostRequest) {
      for (const [name] of limitsFor(sender, request)) counts.set(name, (counts.get(name) ?? 0) - 1)
    },
  }
}
