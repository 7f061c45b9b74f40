import type { PlatformEvent } from './platform.ts'

/** A platform whose meetings are recognised but cannot be joined yet says so. */
export async function* joinUnavailable(
  title: string,
): AsyncGenerator<PlatformEvent, void, undefined> {
  yield {
    kind: 'over',
    because: 'internal',
    detail: `This version of the service cannot join ${title} meetings yet`,
  }
}
