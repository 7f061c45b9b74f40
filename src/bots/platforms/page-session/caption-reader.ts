import type { TrafficMessage, PageCaptionRow, ParticipantListItem } from '../bridge/messages.ts'
import { createCaptionMerger, type CaptionSource } from '../captions/caption-merger.ts'
import { mayBeSameSpeaker } from '../captions/text-overlap.ts'
import type {
  Caption,
  PlatformEndReason,
  Participant,
  PlatformEvent,
  JoinRequest,
} from '../platform.ts'
import { createSpeakerResolver } from '../wire/speaker-resolver.ts'
import type { PagePlatform, WireReader } from './page-platform.ts'

/** Turns what wire and page tell of a call into sightings. */
export interface CaptionReader {
  /** We are in the call: what was heard until now is told, and from now on at once. */
  startEmitting(): void
  readTraffic(heard: TrafficMessage, at: number): void
  readRows(rows: readonly PageCaptionRow[], at: number): void
  readParticipantList(items: readonly ParticipantListItem[]): void
  /** Time has passed in the page. */
  tick(at: number): void
  /** The visit is over: what was heard and not told is told. */
  flush(at: number): void
  /** When somebody was last heard, by wire or page. */
  lastCaptionAt(): number
  /** The language of the newest caption on the wire, where it says so, and when that came. */
  language(): { tag: string; at: number } | null
  /** People are known from somewhere. */
  hasParticipants(): boolean
  /** The id under which we are on the wire's roster. */
  setSelf(id: string, at: number): void
  endReason(): PlatformEndReason | null
  isFlaggedAsBot(): boolean
  activeSource(): CaptionSource
}

type CaptionReaderParts = {
  platform: Pick<PagePlatform, 'parseParticipant'>
  joinRequest: JoinRequest
  reader: WireReader
  /** Keeps the ids of one stay apart from those of another. */
  idPrefix: string
  emit(event: PlatformEvent): void
}

/** Heard before admission: the wire is connected a moment earlier than the page is sure. */
const MAX_EVENTS_BEFORE_ADMISSION = 200

/** A roster comes person by person; whoever comes together is told together. */
const ROSTER_DEBOUNCE_MS = 150

export function createCaptionReader({
  platform,
  joinRequest,
  reader,
  idPrefix,
  emit,
}: CaptionReaderParts): CaptionReader {
  const sources = createCaptionMerger()
  const speakers = createSpeakerResolver(reader.roster)
  let language: { tag: string; at: number } | null = null
  let end: PlatformEndReason | null = null
  let isSuspected = false
  let hasRoster = false
  let listed: Participant[] | null = null
  let peopleAt = Infinity
  let shown = ''
  let held: PlatformEvent[] | null = []

  function tell(event: PlatformEvent): void {
    if (held === null) emit(event)
    else held = [...held, event].slice(-MAX_EVENTS_BEFORE_ADMISSION)
  }
  function emitAll(captions: readonly Caption[]): void {
    for (const caption of captions) {
      tell({ kind: 'caption', ...caption, captionId: `${idPrefix}/${caption.captionId}` })
    }
  }
  function speak(captions: readonly Caption[], at: number): void {
    for (const caption of captions) {
      emitAll(sources.addWireCaption({ ...caption, version: caption.version ?? 0 }, at))
    }
  }
  function emitPeople(people: Participant[]): void {
    const text = JSON.stringify(people)
    if (text === shown) return
    shown = text
    tell({ kind: 'people', people })
  }
  /** The bot's own rows say nothing, and the wire does not tell of them. */
  function isOwn({ speaker }: PageCaptionRow): boolean {
    return (
      /^you$/i.test(speaker.trim()) ||
      (speaker !== '' && mayBeSameSpeaker(speaker, joinRequest.displayName))
    )
  }

  return {
    startEmitting() {
      const early = (held ?? []).filter(({ kind }) => kind === 'caption')
      held = null
      shown = ''
      early.forEach(emit)
      const people = hasRoster ? reader.roster.presentParticipants() : listed
      if (people !== null) emitPeople(people)
    },
    readTraffic(heard, at) {
      const news = reader.read(heard)
      end ??= news.endReason ?? null
      isSuspected ||= news.isFlaggedAsBot ?? false
      if (news.hasRoster) {
        hasRoster = true
        peopleAt = Math.min(peopleAt, at + ROSTER_DEBOUNCE_MS)
        speak(speakers.releaseWaiting(at), at)
      }
      for (const caption of news.captions ?? []) {
        if (caption.language !== null) language = { tag: caption.language, at }
        speak(speakers.resolve(caption, at), at)
      }
    },
    readRows(rows, at) {
      for (const row of rows) if (!isOwn(row)) emitAll(sources.addPageRow(row, at))
    },
    readParticipantList(items) {
      // A list without anybody is not filled yet: we are on it ourselves.
      if (items.length === 0) return
      listed = participantsIn(items, platform, joinRequest)
      if (!hasRoster) emitPeople(listed)
    },
    tick(at) {
      speak(speakers.releaseWaiting(at), at)
      emitAll(sources.tick(at))
      if (at < peopleAt) return
      peopleAt = Infinity
      emitPeople(reader.roster.presentParticipants())
    },
    flush(at) {
      // Those that wait for a name will not get one any more.
      speak(speakers.releaseWaiting(Infinity), at)
      emitAll(sources.flush(at))
    },
    lastCaptionAt: sources.lastCaptionAt,
    language: () => language,
    hasParticipants: () => hasRoster || listed !== null,
    setSelf(id, at) {
      if (reader.roster.setSelf(id)) peopleAt = Math.min(peopleAt, at + ROSTER_DEBOUNCE_MS)
    },
    endReason: () => end,
    isFlaggedAsBot: () => isSuspected,
    activeSource: sources.activeSource,
  }
}

/** Who has no id on the page is told apart by how manieth of that name he is. */
function participantsIn(
  items: readonly ParticipantListItem[],
  platform: CaptionReaderParts['platform'],
  joinRequest: JoinRequest,
): Participant[] {
  const counts = new Map<string, number>()
  return items.flatMap((item) => {
    const person = platform.parseParticipant(item, joinRequest)
    if (person === null) return []
    const nth = (counts.get(person.name) ?? 0) + 1
    counts.set(person.name, nth)
    return [{ id: item.id || `${person.name}/${nth}`, ...person }]
  })
}
