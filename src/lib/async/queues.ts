import { onAbort } from './abort.ts'
import { preventUnhandledRejection } from './await-later.ts'

/** A queue of waiters. A waiter whose signal aborts leaves the queue. */
export interface WaitQueue<Rank, Ticket> {
  /** Resolves with a ticket when `admitNext` admits this waiter, or with null if `signal` aborts first. */
  wait(rank: Rank, signal: AbortSignal): Promise<Ticket | null>
  size(): number
  /** True if a waiter has such a rank. */
  some(test: (rank: Rank) => boolean): boolean
  /** Admits the first waiter in the given order. By default, the longest waiter. */
  admitNext(ticket: (rank: Rank) => Ticket, order?: (a: Rank, b: Rank) => number): void
}

/** A queue between a producer that pushes items and a consumer that drains them later. */
export type PushQueue<T> = {
  push(item: T): void
  /** Yields and removes all items that were pushed since the last drain. */
  drain(): Generator<T>
  /** Resolves when the queue has at least one item. */
  whenNotEmpty(): Promise<null>
}

export function createWaitQueue<Rank, Ticket>(): WaitQueue<Rank, Ticket> {
  const waiting: Array<{ rank: Rank; admit(ticket: Ticket): void }> = []
  return {
    wait: (rank, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        const leaveQueue = () => {
          waiting.splice(waiting.indexOf(entry), 1)
          resolve(null)
        }
        const entry = {
          rank,
          admit(ticket: Ticket) {
            unsubscribe()
            resolve(ticket)
          },
        }
        const unsubscribe = onAbort(signal, leaveQueue)
        waiting.push(entry)
      }),
    size: () => waiting.length,
    some: (test) => waiting.some(({ rank }) => test(rank)),
    admitNext(ticket, order) {
      if (order !== undefined) waiting.sort((a, b) => order(a.rank, b.rank))
      const next = waiting.shift()
      if (next !== undefined) next.admit(ticket(next.rank))
    },
  }
}

/** Runs at most `max` of the given functions concurrently. The others wait in a first-in, first-out queue. */
export function createConcurrencyLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = []
  let running = 0

  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Passes the slot directly to the next in the queue, so that a new call can't overtake it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

export function createPushQueue<T>(): PushQueue<T> {
  let items: T[] = []
  let notEmpty = Promise.withResolvers<null>()
  return {
    push(item) {
      items.push(item)
      notEmpty.resolve(null)
    },
    *drain() {
      const drained = items
      items = []
      notEmpty = Promise.withResolvers()
      yield* drained
    },
    whenNotEmpty: () => notEmpty.promise,
  }
}

/** Yields items of the source and the queue as soon as they are available. Ends when the source ends. */
export async function* mergeWithQueue<T, U>(
  source: AsyncGenerator<T, void, undefined>,
  queue: PushQueue<U>,
): AsyncGenerator<T | U> {
  const readNext = () => preventUnhandledRejection(source.next())
  let next = readNext()
  try {
    for (;;) {
      yield* queue.drain()
      const first = await Promise.race([next, queue.whenNotEmpty()])
      if (first === null) continue
      if (first.done) return
      yield first.value
      next = readNext()
    }
  } finally {
    void source.return()
  }
}
