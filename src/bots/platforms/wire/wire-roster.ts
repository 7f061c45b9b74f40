import { setNewest } from '../../../lib/newest-entries.ts'
import type { Participant } from '../platform.ts'
import type { RosterPresence, WireParticipant } from './wire-types.ts'

/** The meeting's participants, collected from the messages of the wire and identified only by id. */
export type WireRoster = ReturnType<typeof createWireRoster>

/** No meeting has this many participants. Those who left first are dropped first. */
const MAX_KNOWN = 10_000

/** Fewer changes of direction happen between two calls of `takeSnapshots`. The oldest lists are dropped. */
const MAX_SNAPSHOTS = 20

/** No meeting has this many sources. The first assigned ones are dropped first. */
const MAX_SOURCES = 10_000
const MAX_SOURCES_OF_ONE = 16

/**
 * `mayBeBot` says which participants the bot may be, for a wire that does not mark it. While the bot's own id is
 * unknown, one of them is left out of the list.
 */
export function createWireRoster(mayBeBot: (person: WireParticipant) => boolean = () => false) {
  const known = new Map<string, WireParticipant>()
  const ownIds = new Set<string>()
  let snapshots: Participant[][] = []
  let direction: 'joins' | 'leaves' | null = null

  function toParticipants(person: WireParticipant | undefined): Participant[] {
    if (person?.presence !== 'here' || person.parentId !== undefined) return []
    const { id, name, isHost } = person
    return ownIds.has(id) || !name ? [] : [{ id, name, ...(isHost && { isHost }) }]
  }
  function presentParticipants(): Participant[] {
    const [bot] = possibleBots()
    return [...known.values()].filter((person) => person !== bot).flatMap(toParticipants)
  }
  /** The participants that the bot may be. The bot does not speak, so of several, none is known to be the bot. */
  function possibleBots(): WireParticipant[] {
    if (ownIds.size > 0) return []
    return [...known.values()].filter((person) => person.presence === 'here' && mayBeBot(person))
  }
  /** Stores the list before the first change in the other direction. */
  function noteDirection(update: WireParticipant): void {
    if (update.presence === 'unsaid') return
    const isJoin = update.presence === 'here'
    if (isJoin === (known.get(update.id)?.presence === 'here')) return
    const next = isJoin ? 'joins' : 'leaves'
    if (direction !== null && direction !== next)
      snapshots = [...snapshots, presentParticipants()].slice(-MAX_SNAPSHOTS)
    direction = next
  }
  function applyOne(update: WireParticipant): void {
    noteDirection(update)
    const before = known.get(update.id)
    const presence = update.presence === 'unsaid' ? (before?.presence ?? 'unsaid') : update.presence
    if (update.isSelf) ownIds.add(update.id)
    known.set(update.id, { ...before, ...update, presence })
  }
  function applyAll(people: readonly WireParticipant[]): void {
    people.forEach(applyOne)
    dropOldest()
  }
  function dropOldest(): void {
    for (const [id, { presence }] of known) {
      if (known.size <= MAX_KNOWN) return
      if (presence !== 'here') known.delete(id)
    }
    const tooMany = [...known.keys()].slice(0, Math.max(0, known.size - MAX_KNOWN))
    for (const id of tooMany) known.delete(id)
  }

  return {
    applyChanges: applyAll,
    /** Replaces the list. A participant who is missing in it has left. */
    replaceAll(people: readonly WireParticipant[]) {
      const ids = new Set(people.map(({ id }) => id))
      const missing = [...known.values()].filter(
        ({ id, presence }) => presence === 'here' && !ids.has(id),
      )
      for (const { id } of missing) applyOne({ id, presence: 'gone' })
      applyAll(people)
    },
    /** Sets the bot's own id, for rosters that do not mark it. Returns true if `presentParticipants` has changed. */
    setSelf(id: string) {
      const wasListed = toParticipants(known.get(id)).length > 0
      ownIds.add(id)
      return wasListed
    },
    /** The participants without the bot, shared screens and entries without a name. */
    presentParticipants,
    /**
     * The lists of present participants since the last call, oldest first; the last one is current. A list ends where
     * joins change to leaves or leaves to joins. Comparing one list with the next then gives both in their order.
     */
    takeSnapshots(): Participant[][] {
      const taken = [...snapshots, presentParticipants()]
      snapshots = []
      direction = null
      return taken
    },
    /** The speaker's name; a shared screen has its owner's name. Null while the name is unknown. */
    nameOf(id: string): string | null {
      const person = known.get(id)
      const owner = person?.parentId === undefined ? person : known.get(person.parentId)
      return owner?.name ?? null
    },
    isSelf(id: string) {
      const person = known.get(id)
      if (ownIds.has(id) || ownIds.has(person?.parentId ?? '')) return true
      // Only a few participants can be the bot, so the whole list is rarely searched.
      if (person === undefined || !mayBeBot(person)) return false
      const [bot, other] = possibleBots()
      return bot === person && other === undefined
    },
    /** What the roster says about the bot's presence; `unsaid` until it says something. */
    ownPresence(): RosterPresence {
      const own = [...ownIds].map((id) => known.get(id)?.presence ?? 'unsaid')
      return own.findLast((presence) => presence !== 'unsaid') ?? 'unsaid'
    },
  }
}

/** Maps each contributing source of the sound to its participant. */
export function createSourceSpeakers() {
  const speakers = new Map<number, string>()
  const replaced = new Map<string, readonly number[]>()

  function assign(source: number, speakerId: string): void {
    setNewest(speakers, source, speakerId, MAX_SOURCES)
  }
  return {
    /** Assigns a source to this participant from now on, even if it belonged to another one. */
    assign,
    /** The participant has exactly these sources. */
    replaceSourcesOf(speakerId: string, sources: readonly number[]) {
      for (const source of replaced.get(speakerId) ?? [])
        if (speakers.get(source) === speakerId) speakers.delete(source)
      const current = sources.slice(0, MAX_SOURCES_OF_ONE)
      for (const source of current) assign(source, speakerId)
      setNewest(replaced, speakerId, current, MAX_SOURCES)
    },
    speakerIdOf: (source: number) => speakers.get(source) ?? null,
  }
}

/** Parses the number of a source, an unsigned 32-bit number; null if it is not one. */
export function parseSource(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null
  const source = Number(text)
  return source <= 0xffff_ffff ? source : null
}
