import type { AttemptLimiter, RequestSlotLimits } from '../../../src/deliveries/attempt-limiter.ts'

/** True if an idle attempt limiter has fewer free slots than its limits allow. */
export async function hasSlotLeak(
  limiter: AttemptLimiter,
  limits: RequestSlotLimits,
): Promise<boolean> {
  const hasFreeSlots = async (count: number, isFailing: boolean) => {
    using stack = new DisposableStack()
    const abort = new AbortController()
    const requests = Array.from({ length: count }, (_, i) => {
      const to = { url: `http://o${i}.test/`, tokenId: `t${i}` }
      const receiver = stack.use(limiter.forReceiver(to, () => undefined))
      return receiver.acquire({ isFailing, headAt: 0 }, abort.signal)
    })
    abort.abort()
    const permits = await Promise.all(requests)
    for (const permit of permits) permit?.release('unused')
    return permits.every((permit) => permit !== null)
  }
  const { total, allFailing } = limits
  return !(
    (await hasFreeSlots(total, false)) && (await hasFreeSlots(Math.min(allFailing, total), true))
  )
}
