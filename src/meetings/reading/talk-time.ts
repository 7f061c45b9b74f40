import { sql } from 'kysely'
import { countWords } from '../../coach/text/count-words.ts'
import type { Db } from '../../db/database.ts'
import { cleanInline } from '../transcript/markdown-text.ts'
import { displaySpeaker } from '../transcript/source.ts'

export type TalkTime = {
  speaker: string
  segments: number
  words: number
  seconds: number
  /** Of all words. */
  share: number
}

/** Who spoke how much in a meeting, most words first. */
export interface TalkTimeReader {
  read(meetingId: string): Promise<TalkTime[]>
}

type TimedSegment = { number: number; speaker: string; text: string; atMs: number }
type SpeakerCount = Omit<TalkTime, 'share'>
/** What is counted up to a segment; how long that one took is known with the next. */
type Tally = { upTo: number; speakers: Map<string, SpeakerCount>; last: TimedSegment | null }

/** Read at once, so that a day-long meeting blocks nobody. */
const BATCH_SIZE = 1_000
/** Tallies that are kept; the one that was asked for longest ago goes first. */
const MAX_CACHED = 500
const MIN_SEGMENT_MS = 1_000
const CHARS_PER_SECOND = 15

/**
 * Segments are numbered and never change, so what was counted stays counted: each look reads only what has been
 * said since the one before. What is kept here is a saving; the segments are the truth.
 */
export function createTalkTimeReader(db: Db): TalkTimeReader {
  const kept = new Map<string, Tally>()
  return {
    async read(meetingId) {
      let tally = kept.get(meetingId) ?? { upTo: 0, speakers: new Map(), last: null }
      for (;;) {
        const portion = await readAfter(db, meetingId, tally.upTo)
        tally = addToTally(tally, portion)
        if (portion.length < BATCH_SIZE) break
      }
      kept.delete(meetingId)
      kept.set(meetingId, tally)
      const [oldest] = kept.size > MAX_CACHED ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
      return toTalkTime(tally)
    },
  }
}

async function readAfter(db: Db, meetingId: string, number: number): Promise<TimedSegment[]> {
  const { rows } = await sql<TimedSegment>`
    select number, speaker, text, extract(epoch from started_at)::float8 * 1000 as "atMs" from segment
    where meeting_id = ${meetingId} and number > ${number} order by number limit ${BATCH_SIZE}`.execute(
    db,
  )
  return rows
}

/** A new tally: two who ask at once never count into the same one. */
function addToTally(tally: Tally, portion: readonly TimedSegment[]): Tally {
  const speakers = new Map(tally.speakers)
  let { upTo, last } = tally
  for (const next of portion) {
    if (last !== null) addSegment(speakers, last, next.atMs - last.atMs)
    last = next
    upTo = next.number
  }
  return { upTo, speakers, last }
}

/** Somebody counts as talking until the next one begins, but not longer than the words take. */
function addSegment(speakers: Tally['speakers'], said: TimedSegment, untilNextMs: number): void {
  const text = cleanInline(said.text)
  if (text === '') return
  const speaker = displaySpeaker(said)
  const known = speakers.get(speaker) ?? { speaker, segments: 0, words: 0, seconds: 0 }
  const toSayMs = (text.length * 1000) / CHARS_PER_SECOND
  // Who began before this one and finished later is no reason to end.
  const ms = untilNextMs > 0 ? Math.min(toSayMs, untilNextMs) : toSayMs
  speakers.set(speaker, {
    speaker,
    segments: known.segments + 1,
    words: known.words + countWords(text),
    seconds: known.seconds + Math.max(MIN_SEGMENT_MS, ms) / 1000,
  })
}

function toTalkTime({ speakers, last }: Tally): TalkTime[] {
  const whole = new Map(speakers)
  if (last !== null) addSegment(whole, last, Infinity)
  const all = [...whole.values()]
  const words = all.reduce((sum, row) => sum + row.words, 0)
  return all
    .map((row) => ({
      ...row,
      seconds: Math.round(row.seconds),
      share: words === 0 ? 0 : Math.round((row.words / words) * 1000) / 1000,
    }))
    .toSorted((a, b) => b.words - a.words)
}

/** The same for segments that are at hand. */
export function computeTalkTime(segments: readonly TimedSegment[]): TalkTime[] {
  return toTalkTime(addToTally({ upTo: 0, speakers: new Map(), last: null }, segments))
}
