/** Hands items to `run` in groups: what arrives while one group is under way forms the next. */
export interface Batches<Item, Result> {
  add(item: Item): Promise<Result>
}

type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** `run` answers one result for each item, in their order. Its failure is the failure of each of them. */
export function createBatches<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  maxItems: number,
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
