import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { updateMeeting } from '../record/meeting-store.ts'
import {
  chooseLines,
  formatChoice,
  parseChoice,
  type ChosenLines,
  type LinesChoice,
  type OfferedLines,
  type OfficialMode,
  type OfficialPart,
} from './choose-lines.ts'

/** The official transcript of a meeting, with the lines to choose from. */
export type StoredOfficial = { choice: LinesChoice; offered: OfferedLines }

/** A line of an official transcript with its search vector. */
export type OfficialLine = { speaker: string; text: string; atMs: number; words: string }

export const NO_OFFICIAL_LINES: LinesChoice = { mode: 'keep', parts: 0 }

/** No official line has a number near a line of the bot, because lines with close numbers are shown as context. */
const NUMBER_DISTANCE = 100
const LINES_PER_STATEMENT = 500

/** Null if the meeting has no official transcript. */
export async function findOfficial(db: Db, meetingId: string): Promise<StoredOfficial | null> {
  const stored = await db
    .selectFrom('official_transcript as o')
    .innerJoin('meeting as m', 'm.id', 'o.meeting_id')
    .select(['o.choice', 'o.parts', 'o.attended_from', 'o.attended_until', 'm.live_at', 'm.reason'])
    .where('o.meeting_id', '=', meetingId)
    .executeTakeFirst()
  if (stored === undefined) return null
  const { rows: lines } = await sql<OfferedLines['lines'][number]>`
    select number, source = 'official' as "isOfficial", extract(epoch from started_at)::float8 * 1000 as "atMs" from (
      select number, source, started_at from segment where meeting_id = ${meetingId}
      union all select number, source, started_at from set_aside_segment where meeting_id = ${meetingId}
    ) as line order by number`.execute(db)
  const gaps = await db
    .selectFrom('transcript_gap')
    .select(['number', 'cause', 'started_at', 'ended_at'])
    .where('meeting_id', '=', meetingId)
    .orderBy('number')
    .execute()
  const offered: OfferedLines = {
    lines,
    gaps: gaps.map(({ number, cause, started_at: from, ended_at: until }) => ({
      number,
      cause,
      startMs: from.getTime(),
      endMs: (until ?? from).getTime(),
    })),
    parts: stored.parts,
    attended: {
      fromMs: stored.attended_from.getTime(),
      untilMs: stored.attended_until.getTime(),
      liveMs: stored.live_at?.getTime() ?? null,
      reason: stored.reason,
    },
  }
  return { choice: parseChoice(stored.choice), offered }
}

/** What the official transcript of a meeting is used for; null if there is none. */
export async function findOfficialMode(db: Db, meetingId: string): Promise<OfficialMode | null> {
  const stored = await db
    .selectFrom('official_transcript')
    .select('choice')
    .where('meeting_id', '=', meetingId)
    .executeTakeFirst()
  return stored === undefined ? null : parseChoice(stored.choice).mode
}

/** Stores a part of the official transcript of a locked meeting that is over. None of its lines is used yet. */
export async function addOfficialPart(
  tx: Tx,
  meeting: { id: string; startedAt: Date; endedAt: Date },
  part: Omit<OfficialPart, 'firstNumber'>,
  lines: readonly OfficialLine[],
): Promise<void> {
  const { id } = meeting
  const { rows } = await sql<{ last: number }>`select coalesce(max(number), 0) as last from (
    select number from segment where meeting_id = ${id}
    union all select number from set_aside_segment where meeting_id = ${id}) as line`.execute(tx)
  const firstNumber = (rows[0]?.last ?? 0) + NUMBER_DISTANCE
  for (let start = 0; start < lines.length; start += LINES_PER_STATEMENT) {
    const given = lines
      .slice(start, start + LINES_PER_STATEMENT)
      .map((line, i) => ({ ...line, number: firstNumber + start + i }))
    await sql`insert into set_aside_segment (meeting_id, number, caption_id, speaker, text, started_at, words, source)
      select ${id}, s.number, 'official-' || s.number, s.speaker, s.text, to_timestamp(s."atMs" / 1000),
        s.words::tsvector, 'official'
      from json_to_recordset(${JSON.stringify(given)}::json)
        as s(number int, speaker text, text text, "atMs" float8, words text)`.execute(tx)
  }
  const added = JSON.stringify([{ ...part, firstNumber }])
  await sql`insert into official_transcript (meeting_id, choice, parts, attended_from, attended_until)
    values (${id}, 'keep', ${added}::jsonb, ${meeting.startedAt}, ${meeting.endedAt})
    on conflict (meeting_id) do update set parts = official_transcript.parts || excluded.parts`.execute(
    tx,
  )
}

/**
 * Makes the chosen lines the transcript of a locked meeting that is over. Lines only move between the tables, so their
 * texts and numbers stay.
 */
export async function applyLinesChoice(
  tx: Tx,
  meetingId: string,
  { offered }: StoredOfficial,
  choice: LinesChoice,
): Promise<void> {
  const chosen = chooseLines(offered, choice)
  await moveLines(tx, meetingId, chosen)
  await tx
    .updateTable('transcript_gap')
    .set({ is_filled: sql<boolean>`number = any(${chosen.filledGaps}::int[])` })
    .where('meeting_id', '=', meetingId)
    .execute()
  await updateParticipants(tx, meetingId)
  await updateMeeting(tx, meetingId, {
    segment_count: chosen.chosen.size,
    flushed_count: chosen.chosen.size,
    started_at: new Date(chosen.fromMs),
    ended_at: new Date(chosen.untilMs),
  })
  await tx
    .updateTable('official_transcript')
    .set({ choice: formatChoice(choice) })
    .where('meeting_id', '=', meetingId)
    .execute()
}

async function moveLines(tx: Tx, meetingId: string, { chosen, nearest }: ChosenLines) {
  const used = [...chosen]
  const unused = [...nearest.keys()]
  const columns = sql.raw('meeting_id, number, caption_id, text, started_at, source, is_incomplete')
  await sql`with moved as (
      delete from segment where meeting_id = ${meetingId} and number = any(${unused}::int[]) returning *
    ) insert into set_aside_segment (${columns}, speaker, platform_speaker, words)
    select ${columns}, speaker, platform_speaker, words from moved`.execute(tx)
  // A speaker may have got another name since the line was set aside.
  await sql`with moved as (
      delete from set_aside_segment where meeting_id = ${meetingId} and number = any(${used}::int[])
      returning *, coalesce(platform_speaker, speaker) as name
    ) insert into segment (${columns}, speaker, platform_speaker, words)
    select ${columns}, coalesce(names -> name ->> 'name', name), case when names ? name then name end,
      case when names ? name
        then ts_filter(words, '{a,c,d}') || (names -> name ->> 'words')::tsvector else words end
    from moved, (select speaker_names as names from meeting where id = ${meetingId}) as meeting`.execute(
    tx,
  )
  await sql`update set_aside_segment s set nearest = n.nearest
    from unnest(${unused}::int[], ${[...nearest.values()]}::int[]) as n(number, nearest)
    where s.meeting_id = ${meetingId} and s.number = n.number`.execute(tx)
}

/** Speakers of official lines whom the bot did not see are participants too. */
async function updateParticipants(tx: Tx, meetingId: string): Promise<void> {
  await sql`delete from participant where meeting_id = ${meetingId} and id like 'official-%'`.execute(
    tx,
  )
  await sql`insert into participant (meeting_id, id, name, joined_at, left_at)
    select ${meetingId}, 'official-' || min(s.number), coalesce(s.platform_speaker, s.speaker),
      min(s.started_at), max(s.started_at)
    from segment s
    where s.meeting_id = ${meetingId} and s.source = 'official' and s.speaker <> '' and not exists (
      select from participant p where p.meeting_id = s.meeting_id
        and p.name = coalesce(s.platform_speaker, s.speaker))
    group by coalesce(s.platform_speaker, s.speaker)`.execute(tx)
  await sql`update meeting set participant_count = (select count(*) from participant where meeting_id = ${meetingId})
    where id = ${meetingId}`.execute(tx)
}
