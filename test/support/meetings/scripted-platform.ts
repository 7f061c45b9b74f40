import type { Platform, PlatformName, PlatformEvent } from '../../../src/bots/platforms/platform.ts'

/** One room of a staged platform, as the test runs it. */
export type ScriptedRoom = {
  /** What the bot sees, as soon as it is there to see it. */
  emit(...sightings: PlatformEvent[]): void
  /** Visits so far. */
  countAttendances(): number
}

export type ScriptedPlatform = Platform & { room(name: string): ScriptedRoom }

/**
 * A platform of which the test decides every sighting: `stage://name` leads to the room of that name. What is
 * shown after the end is handed over too: a page does not stop talking because the bot has seen enough.
 */
export function createScriptedPlatform(name: PlatformName = 'google_meet'): ScriptedPlatform {
  const rooms = new Map<string, { waiting: PlatformEvent[]; news: () => void; visits: number }>()
  const find = (url: string) => {
    const room = rooms.get(url) ?? { waiting: [], news: () => {}, visits: 0 }
    rooms.set(url, room)
    return room
  }
  return {
    name,
    title: 'Staged meeting',
    linkExamples: ['stage://name'],
    parseLink: (given) =>
      /^stage:\/\/\w+$/.test(given) ? { url: given, room: given, label: 'Staged meeting' } : null,
    async *attend({ link }, signal) {
      const room = find(link.url)
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
        emit(...sightings) {
          room.waiting.push(...sightings)
          room.news()
        },
        countAttendances: () => room.visits,
      }
    },
  }
}
