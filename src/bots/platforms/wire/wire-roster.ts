import type { Participant } from '../platform.ts'
import type { RosterPresence, WireParticipant } from './wire-types.ts'

/**
 * The participants of the meeting, collected from the messages of the wire. Participants are identified by id only.
 */
export interface WireRoster {
  /** Applies changes of some participants. True when `presentParticipants` has changed. */
  applyChanges(people: readonly WireParticipant[]): boolean
  /** Replaces the list; everyone who is missing in it has left. True when `presentParticipants` has changed. */
  replaceAll(people: readonly WireParticipant[]): boolean
  /** Sets the bot's own id, for rosters that do not mark it. True when `presentParticipants` has changed. */
  setSelf(id: string): boolean
  /** The participants without the bot, shared screens and entries without a name. */
  presentParticipants(): Participant[]
  /** The name of a speaker; a shared screen has the name of its owner. Null while the name is unknown. */
  nameOf(id: string): string | null
  isSelf(id: string): boolean
  /** What the roster says about the bot's presence; `unsaid` until it says something. */
  ownPresence(): RosterPresence
}

/** More than any meeting has. Participants who left first are dropped first. */
const MAX_KNOWN = 10_000

export function createWireRoster(): WireRoster {
  const known = new Map<string, WireParticipant>()
  const ownIds = new Set<string>()

  function toParticipants(person: WireParticipant | undefined): Participant[] {
    if (person?.presence !== 'here' || person.parentId !== undefined) return []
    const { id, name, isHost } = person
    return ownIds.has(id) || !name ? [] : [{ id, name, ...(isHost && { isHost }) }]
  }
  /** Whether `act` changes this participant. Comparing the whole list would be slow in a meeting of thousands. */
  function hasChangedAfter(id: string, act: () => void): boolean {
    const before = JSON.stringify(toParticipants(known.get(id)))
    act()
    return JSON.stringify(toParticipants(known.get(id))) !== before
  }
  function applyOne(update: WireParticipant): boolean {
    return hasChangedAfter(update.id, () => {
      const before = known.get(update.id)
      const presence =
        update.presence === 'unsaid' ? (before?.presence ?? 'unsaid') : update.presence
      if (update.isSelf) ownIds.add(update.id)
      known.set(update.id, { ...before, ...update, presence })
    })
  }
  function applyAll(people: readonly WireParticipant[]): boolean {
    const hasChanged = people.map(applyOne).includes(true)
    return dropOldest() || hasChanged
  }
  function dropOldest(): boolean {
    for (const [id, { presence }] of known) {
      if (known.size <= MAX_KNOWN) return false
      if (presence !== 'here') known.delete(id)
    }
    const tooMany = [...known.keys()].slice(0, Math.max(0, known.size - MAX_KNOWN))
    for (const id of tooMany) known.delete(id)
    return tooMany.length > 0
  }

  return {
    applyChanges: applyAll,
    replaceAll(people) {
      const ids = new Set(people.map(({ id }) => id))
      const missing = [...known.values()].filter(
        ({ id, presence }) => presence === 'here' && !ids.has(id),
      )
      const hasGone = missing.map(({ id }) => applyOne({ id, presence: 'gone' })).includes(true)
      return applyAll(people) || hasGone
    },
    setSelf: (id) => hasChangedAfter(id, () => void ownIds.add(id)),
    presentParticipants: () => [...known.values()].flatMap(toParticipants),
    nameOf(id) {
      const person = known.get(id)
      const owner = person?.parentId === undefined ? person : known.get(person.parentId)
      return owner?.name ?? null
    },
    isSelf: (id) => ownIds.has(id) || ownIds.has(known.get(id)?.parentId ?? ''),
    ownPresence() {
      const own = [...ownIds].map((id) => known.get(id)?.presence ?? 'unsaid')
      return own.findLast((presence) => presence !== 'unsaid') ?? 'unsaid'
    },
  }
}
