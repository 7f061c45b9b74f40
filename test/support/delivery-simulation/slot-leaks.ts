import type { AttemptLimiter } from '../../../src/deliveries/limits/attempt-limiter.ts'
import type { SlotLimits } from '../../../src/deliveries/limits/request-slots.ts'

/** Whether a gate that nobody uses has fewer places than it should. */
export async function hasSlotLeak(gate: AttemptLimiter, limits: SlotLimits): Promise<boolean> {
  const hasRoom = async (places: number, isFailing: boolean) => {
    using stack = new DisposableStack()
    const impatient = new AbortController()
    const asked = Array.from({ length: places }, (_, i) => {
      const to = { url: `http://o${i}.test/`, tokenId: `t${i}` }
      const entrance = stack.use(gate.forReceiver(to, () => undefined))
      return entrance.acquire({ isFailing, headAt: 0 }, impatient.signal)
    })
    impatient.abort()
    const passes = await Promise.all(asked)
    for (const pass of passes) pass?.release('unused')
    return passes.every((pass) => pass !== null)
  }
  const { total, allFailing } = limits
  return !((await hasRoom(total, false)) && (await hasRoom(Math.min(allFailing, total), true)))
}
