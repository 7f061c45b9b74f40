import type { Heard, PageRow, PersonItem } from '../bridge/messages.ts'
import { createCaptionSources, type Leader } from '../captions/sources.ts'
import { mayBeOne } from '../captions/told.ts'
import type { Caption, OverReason, Person, Sighting, Visit } from '../platform.ts'
import { createSpeakers } from '../wire/speakers.ts'
import type { PagePlatform, WireReader } from './page-platform.ts'

/** Turns what wire and page tell of a call into sightings. */
export interface Ear {
  /** We are in the call: what was heard until now is told, and from now on at once. */
  open(): void
  hear(heard: Heard, at: number): void
  rows(rows: readonly PageRow[], at: number): void
  items(items: readonly PersonItem[]): void
  /** Time has passed in the page. */
  tick(at: number): void
  /** The visit is over: what was heard and not told is told. */
  flush(at: number): void
  /** When somebody was last heard, by wire or page. */
  heardAt(): number
  /** The language of the newest caption on the wire, where it says so, and when that came. */
  language(): { tag: string; at: number } | null
  /** People are known from somewhere. */
  hasPeople(): boolean
  /** The id under which we are on the wire's roster. */
  setSelf(id: string, at: number): void
  end(): OverReason | null
  isSuspected(): boolean
  leader(): Leader
}

type EarParts = {
  platform: Pick<PagePlatform, 'person'>
  visit: Visit
  reader: WireReader
  /** Keeps the ids of one stay apart from those of another. */
  mark: string
  emit(sighting: Sighting): void
}

/** Heard before admission: the wire is connected a moment earlier than the page is sure. */
const MAX_HELD = 200

/** A roster comes person by person; whoever comes together is told together. */
const PEOPLE_MS = 150

export function createEar({ platform, visit, reader, mark, emit }: EarParts): Ear {
  const sources = createCaptionSources()
  const speakers = createSpeakers(reader.people)
  let language: { tag: string; at: number } | null = null
  let end: OverReason | null = null
  let isSuspected = false
  let hasRoster = false
  let listed: Person[] | null = null
  let peopleAt = Infinity
  let shown = ''
  let held: Sighting[] | null = []

  function tell(sighting: Sighting): void {
    if (held === null) emit(sighting)
    else held = [...held, sighting].slice(-MAX_HELD)
  }
  function emitAll(captions: readonly Caption[]): void {
    for (const caption of captions) {
      tell({ seen: 'caption', ...caption, captionId: `${mark}/${caption.captionId}` })
    }
  }
  function speak(captions: readonly Caption[], at: number): void {
    for (const caption of captions) {
      emitAll(sources.wire({ ...caption, version: caption.version ?? 0 }, at))
    }
  }
  function emitPeople(people: Person[]): void {
    const text = JSON.stringify(people)
    if (text === shown) return
    shown = text
    tell({ seen: 'people', people })
  }
  /** The bot's own rows say nothing, and the wire does not tell of them. */
  function isOwn({ speaker }: PageRow): boolean {
    return /^you$/i.test(speaker.trim()) || (speaker !== '' && mayBeOne(speaker, visit.displayName))
  }

  return {
    open() {
      const early = (held ?? []).filter(({ seen }) => seen === 'caption')
      held = null
      shown = ''
      early.forEach(emit)
      const people = hasRoster ? reader.people.present() : listed
      if (people !== null) emitPeople(people)
    },
    hear(heard, at) {
      const news = reader.hear(heard)
      end ??= news.end ?? null
      isSuspected ||= news.isSuspected ?? false
      if (news.hasRoster) {
        hasRoster = true
        peopleAt = Math.min(peopleAt, at + PEOPLE_MS)
        speak(speakers.release(at), at)
      }
      for (const caption of news.captions ?? []) {
        if (caption.language !== null) language = { tag: caption.language, at }
        speak(speakers.hear(caption, at), at)
      }
    },
    rows(rows, at) {
      for (const row of rows) if (!isOwn(row)) emitAll(sources.row(row, at))
    },
    items(items) {
      // A list without anybody is not filled yet: we are on it ourselves.
      if (items.length === 0) return
      listed = peopleIn(items, platform, visit)
      if (!hasRoster) emitPeople(listed)
    },
    tick(at) {
      speak(speakers.release(at), at)
      emitAll(sources.tick(at))
      if (at < peopleAt) return
      peopleAt = Infinity
      emitPeople(reader.people.present())
    },
    flush(at) {
      // Those that wait for a name will not get one any more.
      speak(speakers.release(Infinity), at)
      emitAll(sources.flush(at))
    },
    heardAt: sources.heardAt,
    language: () => language,
    hasPeople: () => hasRoster || listed !== null,
    setSelf(id, at) {
      if (reader.people.setSelf(id)) peopleAt = Math.min(peopleAt, at + PEOPLE_MS)
    },
    end: () => end,
    isSuspected: () => isSuspected,
    leader: sources.leader,
  }
}

/** Who has no id on the page is told apart by how manieth of that name he is. */
function peopleIn(
  items: readonly PersonItem[],
  platform: EarParts['platform'],
  visit: Visit,
): Person[] {
  const counts = new Map<string, number>()
  return items.flatMap((item) => {
    const person = platform.person(item, visit)
    if (person === null) return []
    const nth = (counts.get(person.name) ?? 0) + 1
    counts.set(person.name, nth)
    return [{ id: item.id || `${person.name}/${nth}`, ...person }]
  })
}
