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

/** A page that is loaded again joins as somebody new with the same name, usually within seconds. */
const RETURN_MS = 60_000
const MAX_RETURNED = 1_000

export function createGroupMembers(ownId: string, now: () => number): GroupMembers {
  const roster = createWireRoster()
  /** Who left last under each name. */
  const left = new Map<string, { id: string; at: number }>()
  /** The first id of those who have come back under another one. */
  const firstIds = new Map<string, string>()
  const idOf = (id: string) => firstIds.get(id) ?? id
  const noteReturn = (id: string, name: string) => {
    const before = left.get(name)
    if (before === undefined || firstIds.has(id) || now() - before.at > RETURN_MS) return
    left.delete(name)
    if (before.id !== id) addBounded(firstIds, id, before.id)
  }
  roster.setSelf(ownId)
  let isChanged = false
  return {
    roster: { nameOf: (id) => roster.nameOf(idOf(id)), isSelf: (id) => roster.isSelf(idOf(id)) },
    apply({ kind, id, username, permissions }) {
      isChanged = true
      if (kind === 'add' && username !== '') noteReturn(id, username)
      if (kind === 'delete') {
        const name = username || roster.nameOf(idOf(id))
        if (name && name !== NO_NAME) addBounded(left, name, { id: idOf(id), at: now() })
      }
      roster.applyChanges([
        {
          id: idOf(id),
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

function addBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > MAX_RETURNED) map.delete(map.keys().next().value ?? '')
}
