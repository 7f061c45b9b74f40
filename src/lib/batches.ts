import { setTimeout as sleep } from 'node:timers/promises'

/** Hands items to `run` in groups: what arrives while one group is under way forms the next. */
export interface Batches<Item, Result> {
  add(item: Item): Promise<Result>
}

type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

type Limits = {
  maxItems: number
  /** When many come, so long is waited for more: fewer groups cost less. Alone nobody waits. */
  gatherMs?: number
}
/** Many: a group of so many is followed by a pause. */
const MANY = 4

/** `run` answers one result for each item, in their order. Its failure is the failure of each of them. */
export function createBatches<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, gatherMs = 0 }: Limits,
): Batches<Item, Result> {
  let waiting: Array<Waiting<Item, Result>> = []
  let isRunning = false

  const drain = async () => {
    isRunning = true
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      try {
        const results = await run(group.map(({ item }) => item))
        group.forEach(({ resolve }, i) => resolve(results[i] as Result))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
      if (gatherMs > 0 && group.length >= MANY) await sleep(gatherMs)
    }
    isRunning = false
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        // Not at once: whatever this turn of the loop still brings belongs to the same group.
        if (!isRunning) {
          isRunning = true
          setImmediate(() => void drain())
        }
      }),
  }
}
