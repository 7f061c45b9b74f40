import type { Player, Screen } from './events.ts'
import type { Guest } from './guest.ts'
import type { Speech } from './rows.ts'

/** What goes on beneath the page of a platform. */
export type Wire = {
  /** A data channel of the guest has opened. */
  opened: (guest: Guest, label: string, people: readonly Player[]) => void
  people: (guest: Guest, change: { came: readonly Player[]; went: readonly Player[] }) => void
  caption: (guests: readonly Guest[], speech: Speech) => void
  chat: (guest: Guest, message: { from: Player; text: string; messageId: string }) => void
  over: (guest: Guest, screen: Screen) => void
  heard: (guest: Guest, channel: string, bytes: Uint8Array) => void
  /** The page of the guest shows the call, and everything beneath it is connected. */
  entered: (guest: Guest, people: readonly Player[]) => void
  close: () => void
}
