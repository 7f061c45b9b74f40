import { onAbort } from '../on-abort.ts'

/** A queue of waiters. A waiter whose signal aborts leaves the queue. */
export interface WaitQueue<Rank, Ticket> {
  /** Resolves with a ticket when `admitNext` admits this waiter, or with null if `signal` aborts first. */
  wait(rank: Rank, signal: AbortSignal): Promise<Ticket | null>
  size(): number
  /** Whether any waiter has such a rank. */
  some(test: (rank: Rank) => boolean): boolean
  /** Admits the first waiter by the given order, by default the one that has waited longest. */
  admitNext(ticket: (rank: Rank) => Ticket, order?: (a: Rank, b: Rank) => number): void
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
