import type { Participant } from '../platform.ts'
import type { RosterPresence, WireParticipant } from './wire-types.ts'

/** Who is in the meeting, put together from what the wire says bit by bit. People are told apart by id only. */
export interface WireRoster {
  /** Something about some of them. True when `present` has changed. */
  applyChanges(people: readonly WireParticipant[]): boolean
  /** Everybody: who is not among them has gone. True when `present` has changed. */
  replaceAll(people: readonly WireParticipant[]): boolean
  /** The id under which we are there ourselves, where the roster does not say it. True as above. */
  setSelf(id: string): boolean
  /** Without ourselves, shared screens and whoever has no name. */
  presentParticipants(): Participant[]
  /** Whose captions these are; a shared screen speaks for its owner. Null as long as nobody has said it. */
  nameOf(id: string): string | null
  isSelf(id: string): boolean
  /** How the platform sees us; `unsaid` until it does. */
  ownPresence(): RosterPresence
}

/** Far more than a meeting holds; those who went first are forgotten first. */
const MAX_KNOWN = 10_000

export function createWireRoster(): WireRoster {
  const known = new Map<string, WireParticipant>()
  const ownIds = new Set<string>()

  function shown(person: WireParticipant | undefined): Participant[] {
    if (person?.presence !== 'here' || person.parentId !== undefined) return []
    const { id, name, isHost } = person
    return ownIds.has(id) || !name ? [] : [{ id, name, ...(isHost && { isHost }) }]
  }
  /** Told by the one person: a meeting of thousands is not compared for each of them. */
  function changing(id: string, act: () => void): boolean {
    const before = JSON.stringify(shown(known.get(id)))
    act()
    return JSON.stringify(shown(known.get(id))) !== before
  }
  function learn(news: WireParticipant): boolean {
    return changing(news.id, () => {
      const before = known.get(news.id)
      const presence = news.presence === 'unsaid' ? (before?.presence ?? 'unsaid') : news.presence
      if (news.isSelf) ownIds.add(news.id)
      known.set(news.id, { ...before, ...news, presence })
    })
  }
  function learnAll(people: readonly WireParticipant[]): boolean {
    const hasChanged = people.map(learn).includes(true)
    return forget() || hasChanged
  }
  function forget(): boolean {
    for (const [id, { presence }] of known) {
      if (known.size <= MAX_KNOWN) return false
      if (presence !== 'here') known.delete(id)
    }
    const tooMany = [...known.keys()].slice(0, Math.max(0, known.size - MAX_KNOWN))
    for (const id of tooMany) known.delete(id)
    return tooMany.length > 0
  }

  return {
    applyChanges: learnAll,
    replaceAll(people) {
      const ids = new Set(people.map(({ id }) => id))
      const missing = [...known.values()].filter(
        ({ id, presence }) => presence === 'here' && !ids.has(id),
      )
      const hasGone = missing.map(({ id }) => learn({ id, presence: 'gone' })).includes(true)
      return learnAll(people) || hasGone
    },
    setSelf: (id) => changing(id, () => void ownIds.add(id)),
    presentParticipants: () => [...known.values()].flatMap(shown),
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
