import type { Person } from '../platform.ts'
import type { Presence, WirePerson } from './facts.ts'

/** Who is in the meeting, put together from what the wire says bit by bit. People are told apart by id only. */
export interface WirePeople {
  /** Something about some of them. True when `present` has changed. */
  change(people: readonly WirePerson[]): boolean
  /** Everybody: who is not among them has gone. True when `present` has changed. */
  replace(people: readonly WirePerson[]): boolean
  /** The id under which we are there ourselves, where the roster does not say it. */
  setSelf(id: string): void
  /** Without ourselves, shared screens and whoever has no name. */
  present(): Person[]
  /** Whose captions these are; a shared screen speaks for its owner. Null as long as nobody has said it. */
  nameOf(id: string): string | null
  isSelf(id: string): boolean
  /** How the platform sees us; `unsaid` until it does. */
  ownPresence(): Presence
}

/** Far more than a meeting holds; those who went first are forgotten first. */
const MAX_KNOWN = 10_000

export function createWirePeople(): WirePeople {
  const known = new Map<string, WirePerson>()
  const ownIds = new Set<string>()

  function learn(news: WirePerson): void {
    const before = known.get(news.id)
    const presence = news.presence === 'unsaid' ? (before?.presence ?? 'unsaid') : news.presence
    known.set(news.id, { ...before, ...news, presence })
    if (news.isSelf) ownIds.add(news.id)
  }
  function forget(): void {
    for (const [id, { presence }] of known) {
      if (known.size <= MAX_KNOWN) return
      if (presence !== 'here') known.delete(id)
    }
    for (const id of known.keys()) {
      if (known.size <= MAX_KNOWN) return
      known.delete(id)
    }
  }
  function present(): Person[] {
    return [...known.values()].flatMap(({ id, name, presence, parentId, isHost }) => {
      if (presence !== 'here' || parentId !== undefined || ownIds.has(id) || !name) return []
      return [{ id, name, ...(isHost && { isHost }) }]
    })
  }
  function changing(act: () => void): boolean {
    const before = JSON.stringify(present())
    act()
    forget()
    return JSON.stringify(present()) !== before
  }

  return {
    change: (people) => changing(() => people.forEach(learn)),
    replace(people) {
      const ids = new Set(people.map(({ id }) => id))
      return changing(() => {
        for (const person of known.values()) {
          if (!ids.has(person.id) && person.presence === 'here') person.presence = 'gone'
        }
        people.forEach(learn)
      })
    },
    setSelf: (id) => void ownIds.add(id),
    present,
    nameOf(id) {
      const person = known.get(id)
      const owner = person?.parentId === undefined ? person : known.get(person.parentId)
      return owner?.name ?? null
    },
    isSelf: (id) => ownIds.has(id) || ownIds.has(known.get(id)?.parentId ?? ''),
    ownPresence() {
      const own = [...ownIds].map((id) => known.get(id)?.presence ?? 'unsaid')
      return own.find((presence) => presence !== 'unsaid') ?? 'unsaid'
    },
  }
}
