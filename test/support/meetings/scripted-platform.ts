import type { Platform, PlatformName, PlatformEvent } from '../../../src/bots/platforms/platform.ts'

/** One room of a scripted platform, controlled by the test. */
export type ScriptedRoom = {
  /** Queues events for the bot. A bot that joins later gets them too. */
  emit(...events: PlatformEvent[]): void
  /** How often a bot has attended the room so far. */
  countAttendances(): number
  /** How many events no bot has taken yet. */
  countQueued(): number
}

export type ScriptedPlatform = Platform & { room(name: string): ScriptedRoom }

/**
 * A platform whose events all come from the test. `stage://name` is the link of the room `name`. Events after the end
 * are delivered too, because a real page does not stop when the bot has left.
 */
export function createScriptedPlatform(name: PlatformName = 'google_meet'): ScriptedPlatform {
  const rooms = new Map<string, { queue: PlatformEvent[]; wake: () => void; attendances: number }>()
  const find = (url: string) => {
    const room = rooms.get(url) ?? { queue: [], wake: () => {}, attendances: 0 }
    rooms.set(url, room)
    return room
  }
  return {
    name,
    title: 'Staged meeting',
    linkExamples: ['stage://name'],
    parseLink: (given) =>
      /^stage:\/\/\w+$/.test(given) ? { url: given, room: given, label: 'Staged meeting' } : null,
    async *attend({ link, joinTime }, signal) {
      const room = find(link.url)
      room.attendances += 1
      await joinTime?.wait(signal)
      while (!signal.aborted) {
        const next = room.queue.shift()
        if (next !== undefined) {
          yield next
          continue
        }
        await new Promise<void>((resolve) => {
          room.wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    },
    room(roomName) {
      const room = find(`stage://${roomName}`)
      return {
        emit(...events) {
          room.queue.push(...events)
          room.wake()
        },
        countAttendances: () => room.attendances,
        countQueued: () => room.queue.length,
      }
    },
  }
}
