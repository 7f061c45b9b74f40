import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { parseChoice, type LinesChoice } from '../official/choose-lines.ts'
import type { SpeakerNames } from './speaker-names.ts'

export const EDIT_KINDS = ['title', 'speaker', 'start', 'lines'] as const
export type EditKind = (typeof EDIT_KINDS)[number]

/**
 * A change of the title of a meeting, of the name of a speaker, of the start of an imported meeting, or of what its
 * official transcript is used for.
 */
export type MeetingEdit = {
  /** Numbered from 1 in each meeting. */
  number: number
  kind: EditKind
  /** Null if the meeting had no title. A start is in ISO 8601, the use of the official transcript as in `formatChoice`. */
  before: string | null
  after: string | null
  /** The speaker's names on the platform; empty for other edits. */
  platformNames: string[]
  /** The number of the edit that this one undid. */
  undoes: number | null
  at: Date
  author: EditAuthor
}

/** Who made a change: the actor as in the audit log, and the name that people know. */
export type EditAuthor = { actor: string; name: string }

const MAX_LISTED_EDITS = 500

export async function insertEdit(tx: Tx, meetingId: string, edit: MeetingEdit): Promise<void> {
  const { platformNames, author, ...rest } = edit
  await tx
    .insertInto('meeting_edit')
    .values({
      ...rest,
      meeting_id: meetingId,
      platform_names: platformNames,
      actor: author.actor,
      actor_name: author.name,
    })
    .execute()
}

function createEditQuery(db: Db, meetingId: string) {
  return db
    .selectFrom('meeting_edit')
    .select([
      'number',
      'kind',
      'before',
      'after',
      'platform_names',
      'undoes',
      'at',
      'actor',
      'actor_name',
    ])
    .where('meeting_id', '=', meetingId)
}

type EditRow = Awaited<ReturnType<ReturnType<typeof createEditQuery>['executeTakeFirstOrThrow']>>

function convertEditRow(row: EditRow): MeetingEdit {
  const { platform_names: platformNames, actor, actor_name: name, ...rest } = row
  return { ...rest, platformNames, author: { actor, name } }
}

/** The newest edits of a meeting, newest first. */
export async function listEdits(db: Db, meetingId: string): Promise<MeetingEdit[]> {
  const rows = await createEditQuery(db, meetingId)
    .orderBy('number', 'desc')
    .limit(MAX_LISTED_EDITS)
    .execute()
  return rows.map(convertEditRow)
}

/** The newest edits that are in effect, one of each kind. Only these can be undone. */
export async function findUndoableEdits(db: Db, meetingId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('meeting_edit as e')
    .select((eb) => eb.fn.max('e.number').as('number'))
    .where('e.meeting_id', '=', meetingId)
    .where(isInEffect)
    .groupBy('e.kind')
    .execute()
  return new Set(rows.map(({ number }) => number))
}

/** True if the edit `e` is not an undo and was not undone. */
export const isInEffect = sql<boolean>`e.undoes is null and not exists (
  select from meeting_edit as undo where undo.meeting_id = e.meeting_id and undo.undoes = e.number)`

/** Throws `edit_not_found` if there is none. */
export async function requireEdit(db: Db, meetingId: string, number: number): Promise<MeetingEdit> {
  const row = await createEditQuery(db, meetingId).where('number', '=', number).executeTakeFirst()
  if (row === undefined) throw new ServiceError('edit_not_found')
  return convertEditRow(row)
}

/** A meeting's title, speakers, start, and the use of its official transcript. */
export type NamesInMeeting = {
  title: string | null
  speakers: SpeakerNames
  startedAt: Date
  linesChoice: LinesChoice
}

/** The names of a meeting after the edit with this number; 0 means before the first edit. */
export async function readNamesAfterEdit(
  db: Db,
  meetingId: string,
  number: number,
  current: NamesInMeeting,
): Promise<NamesInMeeting> {
  const rows = await createEditQuery(db, meetingId).orderBy('number').execute()
  const speakers = new Map<string, string>()
  for (const row of rows) {
    if (row.kind !== 'speaker' || row.number > number) continue
    for (const platformName of row.platform_names) speakers.set(platformName, row.after ?? '')
  }
  const nextTitle = rows.find((row) => row.kind === 'title' && row.number > number)
  const nextStart = rows.find((row) => row.kind === 'start' && row.number > number)?.before
  const nextChoice = rows.find((row) => row.kind === 'lines' && row.number > number)?.before
  return {
    linesChoice: nextChoice ? parseChoice(nextChoice) : current.linesChoice,
    title: nextTitle === undefined ? current.title : nextTitle.before,
    speakers,
    startedAt: nextStart ? new Date(nextStart) : current.startedAt,
  }
}
