import { memberIdOf, type Viewer } from '../../../access/viewer.ts'
import { ServiceError } from '../../../errors.ts'

/** Runs work for a viewer, or throws `too_many_requests` when too much of it waits already. */
export type WithCheckPlace = <T>(viewer: Viewer, work: () => Promise<T>) => Promise<T>

const MAX_WAITING = 20
/** One person who sends many slow texts does not take the places of all. */
const MAX_WAITING_PER_PERSON = 4

/** The places in front of the thread that checks and renders texts for people. */
export function createCheckPlaces(): WithCheckPlace {
  const waiting: Array<string | null> = []
  return async (viewer, work) => {
    const person = memberIdOf(viewer)
    const ofPerson = waiting.filter((one) => one === person).length
    if (waiting.length >= MAX_WAITING || ofPerson >= MAX_WAITING_PER_PERSON)
      throw new ServiceError('too_many_requests', { retryAfterSeconds: 5 })
    waiting.push(person)
    try {
      return await work()
    } finally {
      waiting.splice(waiting.indexOf(person), 1)
    }
  }
}
