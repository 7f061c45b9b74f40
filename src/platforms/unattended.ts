import type { Sighting } from './platform.ts'

/** A platform whose meetings are recognised but cannot be joined yet says so. */
export async function* unattended(title: string): AsyncGenerator<Sighting, void, undefined> {
  yield {
    seen: 'over',
    because: 'internal',
    detail: `This version of the service cannot join ${title} meetings yet`,
  }
}
