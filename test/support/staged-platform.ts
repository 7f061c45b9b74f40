import type { Platform, PlatformName, Sighting } from '../../src/platforms/platform.ts'

/** One room of a staged platform, as the test runs it. */
export type Room = {
  /** What the bot sees, as soon as it is there to see it. */
  show(...sightings: Sighting[]): void
  /** Visits so far. */
  visits(): number
}

export type StagedPlatform = Platform & { room(name: string): Room }

/**
 * A platform of which the test decides every sighting: `stage://name` leads to the room of that name. What is
 * shown after the end is handed over too: a page does not stop talking because the bot has seen enough.
 */
export function createStagedPlatform(name: PlatformName = 'google_meet'): StagedPlatform {
  const rooms = new Map<string, { waiting: Sighting[]; news: () => void; visits: number }>()
  const find = (url: string) => {
    const room = rooms.get(url) ?? { waiting: [], news: () => {}, visits: 0 }
    rooms.set(url, room)
    return room
  }
  return {
    name,
    title: 'Staged meeting',
    shapes: ['stage://name'],
    recognise: (given) =>
      /^stage:\/\/\w+$/.test(given) ? { url: given, room: given, label: 'Staged meeting' } : null,
    async *attend({ address }, signal) {
      const room = find(address.url)
      room.visits += 1
      while (!signal.aborted) {
        const next = room.waiting.shift()
        if (next !== undefined) {
          yield next
          continue
        }
        await new Promise<void>((resolve) => {
          room.news = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    },
    room(roomName) {
      const room = find(`stage://${roomName}`)
      return {
        show(...sightings) {
          room.waiting.push(...sightings)
          room.news()
        },
        visits: () => room.visits,
      }
    },
  }
}
