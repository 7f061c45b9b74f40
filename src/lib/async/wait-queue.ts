import { onAbort } from './on-abort.ts'

/** Those who wait for something, in order. Who loses patience is taken out again. */
export interface WaitQueue<Rank, Ticket> {
  /** Resolves with the ticket once let in, or with null when the signal aborts first. */
  wait(rank: Rank, signal: AbortSignal): Promise<Ticket | null>
  size(): number
  /** Lets the first one in, by the order given or else who came first. */
  admitNext(ticket: () => Ticket, order?: (a: Rank, b: Rank) => number): void
}

export function createWaitQueue<Rank, Ticket>(): WaitQueue<Rank, Ticket> {
  const waiting: Array<{ rank: Rank; go(ticket: Ticket): void }> = []
  return {
    wait: (rank, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        const giveUp = () => {
          waiting.splice(waiting.indexOf(place), 1)
          resolve(null)
        }
        const place = {
          rank,
          go(ticket: Ticket) {
            forget()
            resolve(ticket)
          },
        }
        const forget = onAbort(signal, giveUp)
        waiting.push(place)
      }),
    size: () => waiting.length,
    admitNext(ticket, order) {
      if (order !== undefined) waiting.sort((a, b) => order(a.rank, b.rank))
      waiting.shift()?.go(ticket())
    },
  }
}
