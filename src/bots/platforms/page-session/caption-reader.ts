import type {
  ReceivedTrafficMessage,
  PageCaptionRow,
  ParticipantListItem,
} from '../bridge/messages.ts'
import { createCaptionMerger } from '../captions/caption-merger.ts'
import { mayBeSameSpeaker } from '../captions/text-overlap.ts'
import type {
  Caption,
  PlatformEndReason,
  Participant,
  PlatformEvent,
  JoinRequest,
} from '../platform.ts'
import { createCaptionSpeakerResolver } from '../wire/speaker-resolver.ts'
import type { WireReader, WireUpdate, WireCaption } from '../wire/wire-types.ts'
import type { PagePlatform } from './page-platform.ts'

/** Turns captions and rosters from the wire and the page into platform events. */
export type CaptionAndRosterReader = ReturnType<typeof createCaptionAndRosterReader>

type CaptionReaderParts = {
  platform: Pick<PagePlatform, 'parseParticipant'> & {
    captions: Pick<PagePlatform['captions'], 'rowContent'>
  }
  joinRequest: JoinRequest
  reader: WireReader
  /** Makes caption ids unique across the sessions of a visit. */
  idPrefix: string
  emit(event: PlatformEvent): void
  /** True if speech is recorded instead of captions. */
  isRecordingSpeech?(): boolean
  /** Called with the content of each message of the wire. */
  onWireUpdate?(update: WireUpdate, traffic: ReceivedTrafficMessage, at: number): void
}

/** Events before admission are held, because the wire connects slightly before the page shows the call. */
const MAX_EVENTS_BEFORE_ADMISSION = 200

/** A roster arrives one participant at a time. Participants within this time are emitted together. */
const ROSTER_DEBOUNCE_MS = 150

/** `translatedFrom` is the spoken language if the captions are a translation. `at` is when the caption arrived. */
type CaptionLanguage = { tag: string; at: number; translatedFrom: string | null }

/** The platform shows no names if this many captions have none, and at least four for each caption with a name. */
const MIN_NAMELESS = 8
const NAMELESS_PER_NAMED = 4

export function createCaptionAndRosterReader(parts: CaptionReaderParts) {
  const { platform, joinRequest, reader, idPrefix, emit, isRecordingSpeech, onWireUpdate } = parts
  const merger = createCaptionMerger(platform.captions.rowContent)
  const speakers = createCaptionSpeakerResolver(reader.roster, merger.findSpeaker)
  const language = createCaptionLanguageTracker()
  const nameCheck = createSpeakerNameCheck((detail) =>
    emit({ kind: 'caption problem', code: 'speaker_names', detail }),
  )
  let end: PlatformEndReason | null = null
  let isFlagged = false
  let hasRoster = false
  let listedParticipants: Participant[] | null = null
  let peopleAt = Infinity
  let lastEmitted = ''
  let heldEvents: PlatformEvent[] | null = []

  function emitOrHold(event: PlatformEvent): void {
    if (heldEvents === null) emit(event)
    else heldEvents = [...heldEvents, event].slice(-MAX_EVENTS_BEFORE_ADMISSION)
  }
  function emitAll(captions: readonly Caption[]): void {
    for (const caption of captions) {
      nameCheck.add(caption)
      const captionId = `${idPrefix}/${caption.captionId}`
      // The bot's own captions never get here, so this speaker is a participant with the bot's name.
      const namesake = hasBotName(caption.speaker, joinRequest) && { isOtherParticipant: true }
      const discarded = isRecordingSpeech?.() && { isDiscarded: true }
      emitOrHold({ kind: 'caption', ...caption, captionId, ...namesake, ...discarded })
    }
  }
  function emitWireCaptions(captions: readonly Caption[], at: number): void {
    for (const caption of captions)
      emitAll(merger.addWireCaption({ ...caption, version: caption.version ?? 0 }, at))
  }
  function emitPeople(people: Participant[]): void {
    const text = JSON.stringify(people)
    if (text === lastEmitted) return
    lastEmitted = text
    emitOrHold({ kind: 'people', people })
  }
  const presentPeople = () => (hasRoster ? reader.roster.presentParticipants() : listedParticipants)

  return {
    /** Call this when the bot is in the call. Emits the captions received so far, and from now on each one at once. */
    startEmitting() {
      const early = (heldEvents ?? []).filter(({ kind }) => kind === 'caption')
      heldEvents = null
      lastEmitted = ''
      early.forEach(emit)
      const people = presentPeople()
      if (people !== null) emitPeople(people)
    },
    readTraffic(traffic: ReceivedTrafficMessage, at: number) {
      const update = reader.read(traffic)
      end ??= update.endReason ?? null
      isFlagged ||= update.isFlaggedAsBot ?? false
      if (update.hasRoster) {
        hasRoster = true
        peopleAt = Math.min(peopleAt, at + ROSTER_DEBOUNCE_MS)
        emitWireCaptions(speakers.releaseWaiting(at), at)
      }
      onWireUpdate?.(update, traffic, at)
      for (const caption of update.captions ?? []) {
        language.add(caption, at)
        emitWireCaptions(speakers.resolve(caption, at), at)
        // The page must not publish words that the wire will publish with a name.
        if (speakers.isWaiting(caption.captionId))
          merger.holdWireCaption({ ...caption, speaker: '' }, at)
      }
    },
    readRows(rows: readonly PageCaptionRow[], at: number) {
      for (const row of rows)
        if (!isOwnRow(row, joinRequest, presentPeople)) emitAll(merger.addPageRow(row, at))
      emitWireCaptions(speakers.releaseWaiting(at), at)
    },
    readParticipantList(items: readonly ParticipantListItem[]) {
      // A loaded participant list contains at least the bot, so an empty list has not loaded yet.
      if (items.length === 0) return
      listedParticipants = participantsIn(items, platform, joinRequest)
      if (!hasRoster) emitPeople(listedParticipants)
    },
    /** Tells the reader the page's time, so that it emits captions that have waited long enough. */
    tick(at: number) {
      emitWireCaptions(speakers.releaseWaiting(at), at)
      emitAll(merger.tick(at))
      if (at < peopleAt) return
      peopleAt = Infinity
      for (const people of reader.roster.takeSnapshots()) emitPeople(people)
    },
    /** Emits the captions that are still held back. Call this at the end of the session. */
    flush(at: number) {
      // No more names will arrive, so captions that wait for one are emitted without it.
      emitWireCaptions(speakers.releaseAll(at), at)
      emitAll(merger.flush(at))
    },
    lastCaptionAt: merger.lastCaptionAt,
    /** The language of the newest caption on the wire that has one. */
    language: language.latest,
    /** True if a participant list has arrived from the wire or the page. */
    hasParticipants: () => hasRoster || listedParticipants !== null,
    /** True if the participants are read from the page, because the wire has no roster. */
    readsParticipantList: () => !hasRoster && listedParticipants !== null,
    /** Sets the bot's own id on the wire's roster. */
    setSelf(id: string, at: number) {
      if (reader.roster.setSelf(id)) peopleAt = Math.min(peopleAt, at + ROSTER_DEBOUNCE_MS)
    },
    endReason: () => end,
    isFlaggedAsBot: () => isFlagged,
    activeSource: merger.activeSource,
  }
}

function hasBotName(name: string, { displayName }: JoinRequest): boolean {
  return name !== '' && mayBeSameSpeaker(name, displayName)
}

/**
 * True if a caption row on the page is the bot's own speech. Such rows are ignored, and the wire does not have them.
 * The bot does not speak, so a row with its name belongs to a participant of that name, if there is one.
 */
function isOwnRow(
  { speaker }: PageCaptionRow,
  joinRequest: JoinRequest,
  presentPeople: () => Participant[] | null,
): boolean {
  if (/^you$/i.test(speaker.trim())) return true
  if (!hasBotName(speaker, joinRequest)) return false
  return !presentPeople()?.some(({ name }) => hasBotName(name, joinRequest))
}

/**
 * The participants without the bot. If no entry is marked as the bot, the first one with its name is the bot. Entries
 * without an id on the page get one from their name and a counter.
 */
function participantsIn(
  items: readonly ParticipantListItem[],
  platform: CaptionReaderParts['platform'],
  { displayName }: JoinRequest,
): Participant[] {
  const counts = new Map<string, number>()
  const parsed = items.map((item) => ({ item, person: platform.parseParticipant(item) }))
  const bot =
    parsed.find(({ person }) => person?.isSelf) ??
    parsed.find(({ person }) => person?.name === displayName)
  return parsed.flatMap(({ item, person }) => {
    if (person === null || person === bot?.person) return []
    const nth = (counts.get(person.name) ?? 0) + 1
    counts.set(person.name, nth)
    return [{ id: item.id || `${person.name}/${nth}`, ...person }]
  })
}

function createCaptionLanguageTracker() {
  let latest: CaptionLanguage | null = null
  return {
    add({ language, translatedFrom }: WireCaption, at: number): void {
      if (language === null) return
      // Not every channel marks translated captions, so they are treated as translated until their language changes.
      const known = latest?.tag === language ? latest.translatedFrom : null
      latest = { tag: language, at, translatedFrom: translatedFrom ?? known }
    },
    latest: () => latest,
  }
}

/** Reports once if captions have no speaker names. A few are normal, because a name can arrive late. */
function createSpeakerNameCheck(report: (detail: string) => void): {
  add(caption: Caption): void
} {
  const nameless = new Set<string>()
  let lastNamedId = ''
  let named = 0
  let isReported = false
  return {
    add({ captionId, speaker }) {
      if (isReported) return
      if (speaker !== '') {
        nameless.delete(captionId)
        if (captionId !== lastNamedId) named += 1
        lastNamedId = captionId
        return
      }
      nameless.add(captionId)
      if (nameless.size < Math.max(MIN_NAMELESS, NAMELESS_PER_NAMED * named)) return
      isReported = true
      nameless.clear()
      report('The captions do not say who is speaking')
    },
  }
}
