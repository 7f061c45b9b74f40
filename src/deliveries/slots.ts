import { createTurnstile, type Turnstile } from '../lib/turnstile.ts'

/** What an attempt counts towards: one receiver of one token, by whether its lane is in trouble. */
export type SlotKey = { token: string; receiver: string; isTroubled: boolean }

/** A place for one request under way. Leave it exactly once. */
export type Slot = { leave(): void }

export type SlotLimits = {
  total: number
  /** For each token and receiver: a host may have some that work and some that hang. */
  healthy: number
  /** For each receiver, and of all together: those that hang never hold a healthy lane's place. */
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

type Queue = { name: string; key: SlotKey; inFlight: number; waiting: Turnstile<null, Slot> }

export function createSlots(limits: SlotLimits = SLOT_LIMITS): Slots {
  const queues = new Map<string, Queue>()
  /** Those in which somebody waits; who was served goes to the end. */
  const crowded = new Set<Queue>()
  let total = 0
  let troubled = 0

  const queueFor = (key: SlotKey): Queue => {
    const name = key.isTroubled
      ? `troubled ${key.receiver}`
      : `healthy ${key.token} ${key.receiver}`
    let queue = queues.get(name)
    if (queue === undefined) {
      queue = { name, key, inFlight: 0, waiting: createTurnstile() }
      queues.set(name, queue)
    }
    return queue
  }
  const hasRoom = ({ key, inFlight }: Queue): boolean => {
    if (total >= limits.total) return false
    if (!key.isTroubled) return inFlight < limits.healthy
    return inFlight < limits.troubled && troubled < limits.allTroubled
  }
  const isFree = (queue: Queue) => queue.waiting.size() === 0 && hasRoom(queue)
  const count = (queue: Queue, change: 1 | -1) => {
    queue.inFlight += change
    total += change
    if (queue.key.isTroubled) troubled += change
  }
  const forget = (queue: Queue) => {
    if (queue.inFlight > 0 || queue.waiting.size() > 0) return
    // Who lost patience comes late: there may be a new one of the name.
    if (queues.get(queue.name) === queue) queues.delete(queue.name)
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
        forget(queue)
      },
    }
  }
  /** One from each queue in turn while there is room. */
  const admit = () => {
    const inTurn = [...crowded]
    for (const queue of inTurn) {
      if (!hasRoom(queue)) continue
      crowded.delete(queue)
      queue.waiting.letIn(() => enter(queue))
      if (queue.waiting.size() > 0) crowded.add(queue)
    }
  }

  return {
    async take(key, signal) {
      const queue = queueFor(key)
      if (isFree(queue)) return enter(queue)
      crowded.add(queue)
      const slot = await queue.waiting.wait(null, signal)
      if (slot !== null) return slot
      if (queue.waiting.size() === 0) crowded.delete(queue)
      forget(queue)
      return null
    },
    tryTake(key) {
      const queue = queueFor(key)
      if (isFree(queue)) return enter(queue)
      forget(queue)
      return null
    },
  }
}
