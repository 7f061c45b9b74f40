import { createTurnstile, type Turnstile } from '../lib/turnstile.ts'

/** What an attempt counts towards: one receiver of one token, by whether its lane is in trouble. */
export type SlotKey = { token: string; origin: string; isTroubled: boolean }

/** A place for one request under way. Leave it exactly once. */
export type Slot = { leave(): void }

export type SlotLimits = {
  total: number
  /** For each token and origin. */
  healthy: number
  /** For each origin, and of all origins together: hanging receivers never hold a healthy lane's place. */
  troubled: number
  allTroubled: number
}

export const SLOT_LIMITS: SlotLimits = { total: 512, healthy: 64, troubled: 8, allTroubled: 64 }

/** Bounds how many requests are under way, fair between receivers: each key has its own queue. */
export interface Slots {
  /** Null when the signal aborts first. */
  take(key: SlotKey, signal: AbortSignal): Promise<Slot | null>
  /** Null instead of waiting. */
  tryTake(key: SlotKey): Slot | null
}

type Queue = { key: SlotKey; inFlight: number; waiting: Turnstile<null, Slot> }

export function createSlots(limits: SlotLimits = SLOT_LIMITS): Slots {
  const queues = new Map<string, Queue>()
  let total = 0
  let troubled = 0

  const queueFor = (key: SlotKey): Queue => {
    const name = key.isTroubled ? `troubled ${key.origin}` : `healthy ${key.token} ${key.origin}`
    let queue = queues.get(name)
    if (queue === undefined) {
      queue = { key, inFlight: 0, waiting: createTurnstile() }
      queues.set(name, queue)
    }
    return queue
  }
  const hasRoom = ({ key, inFlight }: Queue): boolean => {
    if (total >= limits.total) return false
    if (!key.isTroubled) return inFlight < limits.healthy
    return inFlight < limits.troubled && troubled < limits.allTroubled
  }
  const count = (queue: Queue, change: 1 | -1) => {
    queue.inFlight += change
    total += change
    if (queue.key.isTroubled) troubled += change
  }
  const enter = (queue: Queue): Slot => {
    count(queue, 1)
    let hasLeft = false
    return {
      leave() {
        if (hasLeft) return
        hasLeft = true
        count(queue, -1)
        admit()
      },
    }
  }
  /** One from each queue in turn while there is room; a queue that was served goes to the end. */
  const admit = () => {
    for (const [name, queue] of [...queues]) {
      if (queue.waiting.size() === 0) {
        if (queue.inFlight === 0) queues.delete(name)
        continue
      }
      if (!hasRoom(queue)) continue
      queues.delete(name)
      queues.set(name, queue)
      queue.waiting.letIn(() => enter(queue))
    }
  }

  return {
    async take(key, signal) {
      const queue = queueFor(key)
      if (queue.waiting.size() === 0 && hasRoom(queue)) return enter(queue)
      return queue.waiting.wait(null, signal)
    },
    tryTake(key) {
      const queue = queueFor(key)
      return queue.waiting.size() === 0 && hasRoom(queue) ? enter(queue) : null
    },
  }
}
