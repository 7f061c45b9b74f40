import { driftIn } from '../page/drift.ts'
import type { Strategy } from '../page/strategy.ts'
import type { Caretaker } from './keep-captions.ts'
import type { Room } from './room.ts'

/** The call is built up piece by piece; what is missing after that is not coming. */
const BUILT_MS = 3_000

/** Compares the call with its table, once. */
export function tellDrift(room: Room): Caretaker {
  const { table, eye, hand, emit, now } = room
  const since = now()
  let isDone = false
  let isAwake = false
  return async () => {
    const isCall = eye.latest().state === 'in call'
    if (isDone || !isCall || now() - since < BUILT_MS) return null
    if (!isAwake) {
      // A bar that hides would look like one that is gone; the next look sees it.
      isAwake = await room.attempt(async () => (await hand.wake(), true))
      return null
    }
    isDone = true
    const seen = eye.seen()
    if (seen === null) return null
    const drifts = driftIn(table, seen.found, seen.language).map(({ part, foundBy }) => ({
      part,
      foundBy: foundBy === null ? null : inWords(foundBy),
    }))
    if (drifts.length > 0) emit({ seen: 'drift', drifts })
    return null
  }
}

function inWords(strategy: Strategy): string {
  switch (strategy.by) {
    case 'css':
      return strategy.css
    case 'role':
      return `${strategy.role} "${strategy.name}"`
    case 'text':
      return `words "${strategy.text}"`
    case 'icon':
      return `icon ${strategy.icon}`
    case 'keys':
      return `keys ${strategy.keys}`
    default:
      return strategy satisfies never
  }
}
