import type { SlotLimits } from '../../../src/deliveries/limits/request-slots.ts'
import type { PostRequest } from '../../../src/deliveries/network/transport.ts'

type Sender = { nodeId: string; record: { tokenId: string } }

/** How many requests are under way on each node, by what they count towards. */
export function createRequestLimitCheck(
  limits: SlotLimits,
  assert: (isTrue: boolean, text: () => string) => void,
) {
  const counts = new Map<string, number>()

  const boundsOf = ({ nodeId, record }: Sender, { url, pool }: PostRequest) => {
    const { origin, pathname } = new URL(url)
    const receiver = `${origin}${pathname}`
    const own: Array<[string, number]> =
      pool === 'healthy'
        ? [[`${nodeId} healthy ${record.tokenId} ${receiver}`, limits.healthy]]
        : [
            [`${nodeId} failing ${receiver}`, limits.failing],
            [`${nodeId} failing`, limits.allFailing],
          ]
    return [...own, [`${nodeId} total`, limits.total] satisfies [string, number]]
  }
  return {
    enter(sender: Sender, request: PostRequest) {
      for (const [name, limit] of boundsOf(sender, request)) {
        const count = (counts.get(name) ?? 0) + 1
        counts.set(name, count)
        assert(count <= limit, () => `${count} requests under way: ${name}`)
      }
    },
    leave(sender: Sender, request: PostRequest) {
      for (const [name] of boundsOf(sender, request)) counts.set(name, (counts.get(name) ?? 0) - 1)
    },
  }
}
