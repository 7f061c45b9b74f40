import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { countWords } from '../../language/words.ts'
import { setNewest } from '../../lib/newest-entries.ts'
import { cleanInlineText } from '../transcript/markdown-text.ts'
import { formatDisplaySpeaker } from '../transcript/source.ts'

export type SpeakerTalkTime = {
  speaker: string
  segments: number
  words: number
  seconds: number
  /** The speaker's share of all words in the meeting, from 0 to 1. */
  share: number
}

/** Reads the talk time of each speaker of a meeting, most words first. */
export type TalkTimeReader = ReturnType<typeof createTalkTimeReader>

type TimedSegment = { number: number; speaker: string; text: string; atMs: number }
type SpeakerCount = Omit<SpeakerTalkTime, 'share'>
/**
 * The counts per speaker for all segments before `last`. `last` is not counted yet, because its duration depends on
 * when the next segment starts.
 */
type Tally = { upTo: number; speakers: Map<string, SpeakerCount>; last: TimedSegment | null }
/** A tally, and the number of the newest edit before its segments were read. */
type CachedTally = Tally & { edit: number }

/** Segments per query, so that a meeting of a whole day does not block the event loop. */
const BATCH_SIZE = 1_000
/** Maximum number of cached tallies. The least recently read one is dropped first. */
const MAX_CACHED = 500
const MIN_SEGMENT_MS = 1_000
const CHARS_PER_SECOND = 15

/**
 * Caches a tally per meeting, so that each read counts only segments that are new. Segments change only if a speaker is
 * renamed; then all are counted again.
 */
export function createTalkTimeReader(db: Db) {
  const cache = new Map<string, CachedTally>()
  return {
    async read(meetingId: string): Promise<SpeakerTalkTime[]> {
      const edit = await readEditCount(db, meetingId)
      const cached = cache.get(meetingId)
      let tally: Tally =
        cached?.edit === edit ? cached : { upTo: 0, speakers: new Map(), last: null }
      for (;;) {
        const segments = await readSegmentsAfter(db, meetingId, tally.upTo)
        tally = addToTally(tally, segments)
        if (segments.length < BATCH_SIZE) break
      }
      setNewest(cache, meetingId, { ...tally, edit }, MAX_CACHED)
      return toTalkTime(tally)
    },
  }
}

async function readEditCount(db: Db, meetingId: string): Promise<number> {
  const row = await db
    .selectFrom('meeting')
    .select('edit_count')
    .where('id', '=', meetingId)
    .executeTakeFirst()
  return row?.edit_count ?? 0
}

async function readSegmentsAfter(
  db: Db,
  meetingId: string,
  number: number,
): Promise<TimedSegment[]> {
  const { rows } = await sql<TimedSegment>`
    select number, speaker, text, extract(epoch from started_at)::float8 * 1000 as "atMs" from segment
    where meeting_id = ${meetingId} and number > ${number} order by number limit ${BATCH_SIZE}`.execute(
    db,
  )
  return rows
}

/** Returns a new tally, so that concurrent reads do not change the same one. */
function addToTally(tally: Tally, segments: readonly TimedSegment[]): Tally {
  const speakers = new Map(tally.speakers)
  let { upTo, last } = tally
  for (const next of segments) {
    if (last !== null) addSegment(speakers, last, next.atMs - last.atMs)
    last = next
    upTo = next.number
  }
  return { upTo, speakers, last }
}

/** A segment lasts until the next one starts, but not longer than it takes to say its words. */
function addSegment(speakers: Tally['speakers'], segment: TimedSegment, untilNextMs: number): void {
  const text = cleanInlineText(segment.text)
  if (text === '') return
  const speaker = formatDisplaySpeaker(segment)
  const known = speakers.get(speaker) ?? { speaker, segments: 0, words: 0, seconds: 0 }
  const toSayMs = (text.length * 1000) / CHARS_PER_SECOND
  // If the next segment started earlier, its speaker overlaps and does not shorten this segment.
  const ms = untilNextMs > 0 ? Math.min(toSayMs, untilNextMs) : toSayMs
  speakers.set(speaker, {
    speaker,
    segments: known.segments + 1,
    words: known.words + countWords(text),
    seconds: known.seconds + Math.max(MIN_SEGMENT_MS, ms) / 1000,
  })
}

function toTalkTime({ speakers, last }: Tally): SpeakerTalkTime[] {
  const withLast = new Map(speakers)
  if (last !== null) addSegment(withLast, last, Infinity)
  const all = [...withLast.values()]
  const words = all.reduce((sum, row) => sum + row.words, 0)
  return all
    .map((row) => ({
      ...row,
      seconds: Math.round(row.seconds),
      share: words === 0 ? 0 : Math.round((row.words / words) * 1000) / 1000,
    }))
    .toSorted((a, b) => b.words - a.words)
}

export function computeTalkTimesMostWordsFirst(
  segments: readonly TimedSegment[],
): SpeakerTalkTime[] {
  return toTalkTime(addToTally({ upTo: 0, speakers: new Map(), last: null }, segments))
}
