import { setTimeout as sleep } from 'node:timers/promises'

/** Passes items to `run` in groups. Items that are added while a group runs form the next group. */
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
  /** How many groups may run concurrently. Use more than 1 only for items that do not depend on each other. */
  maxConcurrent?: number
  /** The longest pause after a group to collect more items, because fewer groups cost less. */
  lingerMs?: number
}
/** The pause grows with the group. A group that would cause a shorter one than a millisecond causes none. */
const LINGER_MS_FOR_EACH_ITEM = 0.25

/** A value that is created at first use and then cached. */
interface LazyValue<Value> {
  get(): Promise<Value>
  /** The value if `get` has been called, otherwise null. */
  peek(): Promise<Value> | null
}

/** `run` returns one result for each item, in the same order. If it throws, every item of the group is rejected. */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, maxConcurrent = 1, lingerMs = 0 }: Limits,
): Batcher<Item, Result> {
  let waiting: Array<Waiting<Item, Result>> = []
  let inFlight = 0

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
      const pauseMs = Math.floor(Math.min(lingerMs, group.length * LINGER_MS_FOR_EACH_ITEM))
      if (pauseMs > 0) await sleep(pauseMs)
    }
    inFlight -= 1
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (inFlight >= maxConcurrent) return
        inFlight += 1
        // Deferred, so that items added in the same turn of the event loop join this group.
        setImmediate(() => void drain())
      }),
  }
}

/** A failed creation is not cached, so the next `get` tries again. */
export function createLazyValue<Value>(create: () => Promise<Value>): LazyValue<Value> {
  let created: Promise<Value> | null = null
  return {
    get() {
      created ??= create().catch((error: unknown) => {
        created = null
        throw error
      })
      return created
    },
    peek: () => created,
  }
}

/** Runs `work` on the first call. Later calls get the same promise, so a second `close` waits for the first. */
export function runOnce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => (running ??= work())
}

/**
 * Lets calls with the same key in one turn of the event loop share one read. The read starts after that turn, so no
 * caller gets a result that is older than its call.
 */
export function coalesceReadsInSameTick<Result>(): (
  key: string,
  read: () => Promise<Result>,
) => Promise<Result> {
  const pending = new Map<string, Promise<Result>>()
  return (key, read) => {
    const shared = pending.get(key)
    if (shared !== undefined) return shared
    const result = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      pending.delete(key)
      return read()
    })
    pending.set(key, result)
    return result
  }
}
