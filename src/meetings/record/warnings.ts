import { sql } from 'kysely'
import type { SelectorDrift } from '../../bots/platforms/platform.ts'
import type { Db } from '../../db/database.ts'
import { cleanText } from '../../language/clean-text.ts'
import { ACTIVE_STATUSES, type WarningCode } from '../status.ts'
import { runTransactionUnderLease, type MeetingLease } from './meeting-store.ts'

/** A problem that did not stop the meeting. `subject` names the affected part, for example a part of the page. */
export type MeetingWarning = { code: WarningCode; subject: string; text: string; at: Date }

const MAX_WARNINGS = 50
const MAX_SUBJECT_CHARS = 64
const MAX_TEXT_CHARS = 300

/** Creates a warning for each part of the platform's page that was not found by its usual selector. */
export function createSelectorDriftWarnings(
  drifts: readonly SelectorDrift[],
  at: Date,
): MeetingWarning[] {
  return drifts.slice(0, MAX_WARNINGS).map(({ part, foundBy }) => {
    const subject = cleanText(part.slice(0, MAX_SUBJECT_CHARS))
    const how = foundBy === null ? 'not found' : `found by ${foundBy}`
    const text = cleanText(`${subject}: ${how}`.slice(0, MAX_TEXT_CHARS))
    return { code: 'page_drift', subject, text, at }
  })
}

/** Creates the warning that the platform did not identify the bot as a bot, and may treat it as a human guest. */
export function createUnidentifiedBotWarning(detail: string, at: Date): MeetingWarning {
  const text = `The bot joined without its identification: ${detail}`
  return {
    code: 'unidentified',
    subject: 'identification',
    text: cleanText(text.slice(0, MAX_TEXT_CHARS)),
    at,
  }
}

/** Creates the warning that a problem with the captions makes the transcript worse. */
export function createCaptionWarning(code: WarningCode, detail: string, at: Date): MeetingWarning {
  return { code, subject: 'captions', text: cleanText(detail.slice(0, MAX_TEXT_CHARS)), at }
}

const IS_BEHIND = 'Speech recognition is '
/** A bot that is behind repeats its warning every five seconds. */
const BEHIND_AGE = sql`interval '30 seconds'`

/** Creates the warning that speech is recognized late. `behindMs` is 0 when recognition has caught up. */
export function createSpeechDelayWarning(
  { behindMs, longestMs }: { behindMs: number; longestMs: number },
  at: Date,
): MeetingWarning {
  const secondsOf = (ms: number) => Math.max(1, Math.round(ms / 1_000))
  const text =
    behindMs > 0
      ? `${IS_BEHIND}behind by ${secondsOf(behindMs)} s. What was said meanwhile is recorded later.`
      : `Speech recognition was behind by up to ${secondsOf(longestMs)} s.`
  return createCaptionWarning('speech_behind', text, at)
}

/** The warnings of live meetings whose speech is being recognized late. `now` replaces the database's time. */
export function readSpeechDelays(
  db: Db,
  now?: Date,
): Promise<Array<{ meetingId: string; text: string }>> {
  return db
    .selectFrom('meeting_warning')
    .innerJoin('meeting', 'meeting.id', 'meeting_warning.meeting_id')
    .select(['meeting.id as meetingId', 'text'])
    .where('meeting.status', 'in', ACTIVE_STATUSES)
    .where('code', '=', 'speech_behind')
    .where('at', '>', sql<Date>`coalesce(${now ?? null}::timestamptz, now()) - ${BEHIND_AGE}`)
    .where('text', 'like', `${IS_BEHIND}%`)
    .execute()
}

/** Creates the warning that the bot could not post its notice in the meeting chat. */
export function createChatUnavailableWarning(detail: string, at: Date): MeetingWarning {
  const text = `The bot could not write in the meeting chat: ${detail}`
  return {
    code: 'chat_unavailable',
    subject: 'chat',
    text: cleanText(text.slice(0, MAX_TEXT_CHARS)),
    at,
  }
}

/**
 * Saves warnings of a meeting, one row per code and subject. A newer warning replaces the text and time of an older
 * one.
 */
export async function saveOrReplaceMeetingWarnings(
  db: Db,
  lease: MeetingLease,
  warnings: readonly MeetingWarning[],
): Promise<void> {
  const { meetingId } = lease
  const rows = new Map(warnings.map((row) => [`${row.code} ${row.subject}`, row]))
  if (rows.size === 0) return
  await runTransactionUnderLease(db, lease, async (tx) => {
    await tx
      .insertInto('meeting_warning')
      .values([...rows.values()].map((row) => ({ ...row, meeting_id: meetingId })))
      .onConflict((conflict) =>
        conflict
          .columns(['meeting_id', 'code', 'subject'])
          .doUpdateSet({ text: sql`excluded.text`, at: sql`excluded.at` }),
      )
      .execute()
    await sql`delete from meeting_warning where meeting_id = ${meetingId} and (code, subject) in
      (select code, subject from meeting_warning where meeting_id = ${meetingId}
       order by at desc, code, subject offset ${MAX_WARNINGS})`.execute(tx)
  })
}

export function readMeetingWarnings(db: Db, meetingId: string): Promise<MeetingWarning[]> {
  return db
    .selectFrom('meeting_warning')
    .select(['code', 'subject', 'text', 'at'])
    .where('meeting_id', '=', meetingId)
    .orderBy('at')
    .orderBy('code')
    .orderBy('subject')
    .execute()
}
