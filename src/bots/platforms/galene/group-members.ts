import type { Participant } from '../platform.ts'
import { createWireRoster, type WireRoster } from '../wire/wire-roster.ts'
import type { MessageOfType } from './protocol/messages.ts'

/** The members of the group, without the bot. */
export interface GroupMembers {
  roster: Pick<WireRoster, 'nameOf' | 'isSelf'>
  apply(message: MessageOfType<'user'>): void
  /** The lists of members since the last call, oldest first; empty when nothing has changed. */
  takeSnapshots(): Participant[][]
}

/** Galène's own page has the same name for a participant who joined without one. */
export const NO_NAME = '(anon)'

export function createGroupMembers(ownId: string): GroupMembers {
  const roster = createWireRoster()
  roster.setSelf(ownId)
  let isChanged = false
  return {
    roster,
    apply({ kind, id, username, permissions }) {
      isChanged = true
      roster.applyChanges([
        {
          id,
          presence: kind === 'delete' ? 'gone' : 'here',
          name: username || NO_NAME,
          isHost: permissions?.includes('op') ?? false,
        },
      ])
    },
    takeSnapshots() {
      if (!isChanged) return []
      isChanged = false
      return roster.takeSnapshots()
    },
  }
}
