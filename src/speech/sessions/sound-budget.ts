/** A session whose waiting sound counts against the limit of all sessions. */
export interface SoundHolder {
  waitingMs(): number
  /** For how long the oldest sound that is not recognized has waited; 0 when nothing waits. */
  behindMs(): number
  dropOldest(): void
}

/** Limits the waiting sound of all sessions together. */
export interface SoundBudget {
  join(holder: SoundHolder): void
  leave(holder: SoundHolder): void
  /** Drops the oldest sound of the session with the most waiting sound, until the limit is kept. */
  enforce(): void
  /** How far the session is behind that is furthest behind. */
  behindMs(): number
}

export function createSoundBudget(mostMs: number): SoundBudget {
  const holders = new Set<SoundHolder>()
  return {
    join: (holder) => void holders.add(holder),
    leave: (holder) => void holders.delete(holder),
    enforce() {
      let totalMs = 0
      for (const holder of holders) totalMs += holder.waitingMs()
      while (totalMs > mostMs) {
        const largest = [...holders].reduce((one, other) =>
          other.waitingMs() > one.waitingMs() ? other : one,
        )
        const before = largest.waitingMs()
        largest.dropOldest()
        if (largest.waitingMs() >= before) return
        totalMs -= before - largest.waitingMs()
      }
    },
    behindMs: () => Math.max(0, ...[...holders].map((holder) => holder.behindMs())),
  }
}
