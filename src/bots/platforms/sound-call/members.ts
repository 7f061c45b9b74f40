import { setNewest } from '../../../lib/newest-entries.ts'
import type { Participant } from '../platform.ts'
import { createWireRoster } from '../wire/wire-roster.ts'

/** The members of a call, without the bot. */
export type CallMembers = ReturnType<typeof createCallMembers>

/** A change of one member. */
export type MemberChange = { id: string; name: string; isPresent: boolean; isHost: boolean }

/** The name of a participant without one. */
export const NO_NAME = '(anon)'

/** A reloaded page joins as a new participant with the same name, usually within seconds. */
const RETURN_MS = 60_000
const MAX_RETURNED = 1_000

export function createCallMembers(now: () => number) {
  const roster = createWireRoster()
  /** The participant who last left, for each name. */
  const left = new Map<string, { id: string; at: number }>()
  /** The first id of each participant who came back under another id. */
  const firstIds = new Map<string, string>()
  const idOf = (id: string) => firstIds.get(id) ?? id
  const noteReturn = (id: string, name: string) => {
    const before = left.get(name)
    if (before === undefined || firstIds.has(id) || now() - before.at > RETURN_MS) return
    left.delete(name)
    if (before.id !== id) setNewest(firstIds, id, before.id, MAX_RETURNED)
  }
  let isChanged = false
  return {
    roster: {
      nameOf: (id: string) => roster.nameOf(idOf(id)),
      isSelf: (id: string) => roster.isSelf(idOf(id)),
    },
    setSelf: (id: string) => void roster.setSelf(id),
    /** `isNew`: the participant has just joined, so it may be one who left a moment ago. */
    apply({ id, name, isPresent, isHost }: MemberChange, { isNew }: { isNew: boolean }) {
      isChanged = true
      if (isNew && isPresent && name !== '') noteReturn(id, name)
      if (!isPresent) {
        const known = name || roster.nameOf(idOf(id))
        if (known && known !== NO_NAME)
          setNewest(left, known, { id: idOf(id), at: now() }, MAX_RETURNED)
      }
      const presence = isPresent ? 'here' : 'gone'
      roster.applyChanges([{ id: idOf(id), presence, name: name || NO_NAME, isHost }])
    },
    /** The member lists since the last call, oldest first; empty if nothing has changed. */
    takeSnapshots(): Participant[][] {
      if (!isChanged) return []
      isChanged = false
      return roster.takeSnapshots()
    },
  }
}
