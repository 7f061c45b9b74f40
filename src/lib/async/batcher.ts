import { setTimeout as sleep } from 'node:timers/promises'

/** Hands items to `run` in groups: what arrives while one group is under way forms the next. */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>
}

type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

type Limits = {
  maxItems: number
  /** So many groups may be under way at once; only for items that do not depend on each other. */
  maxConcurrent?: number
  /** When many come, so long is waited for more: fewer groups cost less. Alone nobody waits. */
  lingerMs?: number
}
/** Many: a group of so many is followed by a pause. */
const LINGER_FROM_SIZE = 4

/** `run` answers one result for each item, in their order. Its failure is the failure of each of them. */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, maxConcurrent = 1, lingerMs = 0 }: Limits,
): Batcher<Item, Result> {
  let waiting: Array<Waiting<Item, Result>> = []
  let underWay = 0

  const drain = async () => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      try {
        const results = await run(group.map(({ item }) => item))
        group.forEach(({ resolve }, i) => resolve(results[i] as Result))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
      if (lingerMs > 0 && group.length >= LINGER_FROM_SIZE) await sleep(lingerMs)
    }
    underWay -= 1
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (underWay >= maxConcurrent) return
        underWay += 1
        // Not at once: whatever this turn of the loop still brings belongs to the same group.
        setImmediate(() => void drain())
      }),
  }
}
