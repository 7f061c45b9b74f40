import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../lib/crypto.ts'
import type { RecapContent } from '../recap.ts'
import {
  MAX_STATEMENT_ROWS,
  STATEMENT_KINDS,
  STATEMENT_LISTS,
  type EditedContent,
  type ListedStatement,
  type RecapItemSource,
  type StatementKind,
} from './recap-item.ts'
import { matchStatements } from './same-statement.ts'

/** A statement as the rules or the model found it. Sentences of a summary have no speaker. */
export type FoundStatement = {
  text: string
  speaker?: string | null
  /** Only of decisions. */
  reason?: string | null
  segmentNumbers: number[]
}

/** What is stored of a statement that a person added, changed or deleted. */
export type StoredWords = Required<Omit<FoundStatement, 'reason'>>

/** What a person made of a statement. */
export type StoredStatement = {
  id: string
  kind: StatementKind
  number: number | null
  text: string
  speaker: string | null
  segmentNumbers: number[]
  isDeleted: boolean
  editedAtMs: number
}

export type StatementChange = {
  text?: string
  speaker?: string | null
  segmentNumbers?: number[]
  isDeleted?: boolean
}

/**
 * SQL for the items of a meeting as a JSON array. It is read in the statement that reads the recap, because the numbers
 * of items belong to one version of it. `kind` limits it to these items.
 */
export function selectRecapItems(
  meetingId: RawBuilder<unknown>,
  kind?: StatementKind,
): RawBuilder<StoredStatement[]> {
  return sql<StoredStatement[]>`coalesce((
    select json_agg(json_build_object('id', i.id, 'kind', i.kind, 'number', i.number, 'text', i.text,
      'speaker', i.speaker, 'segmentNumbers', i.segment_numbers, 'isDeleted', i.is_deleted,
      'editedAtMs', round(extract(epoch from i.edited_at) * 1000)) order by i.created_at, i.id)
    from recap_item i where i.meeting_id = ${meetingId}
      and ${kind === undefined ? sql`true` : sql`i.kind = ${kind}`}), '[]')`
}

/** The content of a recap with what people added, changed and deleted. */
export function applyRecapItems(
  meetingId: string,
  content: RecapContent,
  items: readonly StoredStatement[],
): EditedContent {
  const listOf = (kind: StatementKind) =>
    listStatements(meetingId, kind, content[STATEMENT_LISTS[kind]], items)
  return {
    ...content,
    summary: listOf('summary'),
    decisions: listOf('decision'),
    openQuestions: listOf('question'),
  }
}

/** The statements of one kind. What a person added comes before the first found one that was said later. */
export function listStatements(
  meetingId: string,
  kind: StatementKind,
  found: readonly FoundStatement[],
  items: readonly StoredStatement[],
): ListedStatement[] {
  const own = items.filter((item) => item.kind === kind)
  const itemByNumber = new Map(own.map((item) => [item.number, item]))
  const ids = listFoundIds(meetingId, kind, found)
  const list = found.flatMap((statement, i): ListedStatement[] => {
    const { text, speaker = null, reason, segmentNumbers } = statement
    const hasReason = reason === undefined ? {} : { reason }
    const item = itemByNumber.get(i + 1)
    if (item === undefined)
      return [{ id: ids[i] ?? '', text, speaker, ...hasReason, segmentNumbers, editedAt: null }]
    if (item.isDeleted) return []
    return [{ ...toListedStatement(item), ...(item.text === text && hasReason) }]
  })
  for (const item of own) {
    const isReplacing = item.number !== null && item.number <= found.length
    if (item.isDeleted || isReplacing) continue
    const statement = toListedStatement(item)
    const index = list.findIndex((other) => firstSegmentOf(other) > firstSegmentOf(statement))
    list.splice(index === -1 ? list.length : index, 0, statement)
  }
  return list
}

function firstSegmentOf({ segmentNumbers }: ListedStatement): number {
  return segmentNumbers[0] ?? Infinity
}

function toListedStatement(item: StoredStatement): ListedStatement {
  const { id, text, speaker, segmentNumbers, editedAtMs } = item
  return { id, text, speaker, segmentNumbers, editedAt: new Date(editedAtMs) }
}

/**
 * The ids of statements that nobody has changed. They are derived from the statements, so a statement that a new recap
 * finds in the same words keeps its id, and any other one never has it.
 */
function listFoundIds(
  meetingId: string,
  kind: StatementKind,
  found: readonly FoundStatement[],
): string[] {
  const counts = new Map<string, number>()
  return found.map(({ text, segmentNumbers }) => {
    const key = JSON.stringify([meetingId, kind, text, segmentNumbers])
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return `item_${hash('sha256', `${count}:${key}`, 'hex').slice(0, 24)}`
  })
}

/** Adds a statement that a person wrote. */
export async function insertStatement(
  tx: Tx,
  meetingId: string,
  kind: StatementKind,
  statement: StoredWords,
  now: Date,
): Promise<string> {
  const id = newId('item')
  await insertRow(tx, meetingId, { id, kind, number: null, source: 'person', statement }, {}, now)
  return id
}

type ChangedStatement = ListedStatement & { kind: StatementKind }

/**
 * Changes or deletes a statement for a person. Returns null if it does not exist. `recap` is the locked recap of the
 * meeting; null before the first one.
 */
export async function changeStatement(
  tx: Tx,
  meetingId: string,
  recap: { content: RecapContent; method: RecapItemSource } | null,
  id: string,
  change: StatementChange,
  now: Date,
): Promise<ChangedStatement | null> {
  const updated = await updateRow(tx, meetingId, id, change, now)
  if (updated !== null || recap === null) return updated
  const found = findStatement(meetingId, recap.content, id)
  if (found === null) return null
  const isReplaced = await tx
    .selectFrom('recap_item')
    .select('id')
    .where('meeting_id', '=', meetingId)
    .where((eb) => eb.or([eb('id', '=', id), eb.and({ kind: found.kind, number: found.number })]))
    .executeTakeFirst()
  if (isReplaced !== undefined) return null
  const statement = await insertRow(
    tx,
    meetingId,
    { id, ...found, source: recap.method },
    change,
    now,
  )
  return { id, kind: found.kind, ...statement, editedAt: now }
}

function findStatement(
  meetingId: string,
  content: RecapContent,
  id: string,
): { kind: StatementKind; number: number; statement: StoredWords } | null {
  for (const kind of STATEMENT_KINDS) {
    const found: readonly FoundStatement[] = content[STATEMENT_LISTS[kind]]
    const index = listFoundIds(meetingId, kind, found).indexOf(id)
    const statement = found[index]
    if (statement !== undefined)
      return { kind, number: index + 1, statement: { speaker: null, ...statement } }
  }
  return null
}

async function updateRow(
  tx: Tx,
  meetingId: string,
  id: string,
  { text, speaker, segmentNumbers, isDeleted }: StatementChange,
  now: Date,
): Promise<ChangedStatement | null> {
  const row = await tx
    .updateTable('recap_item')
    .set({
      ...(text !== undefined && { text }),
      ...(speaker !== undefined && { speaker }),
      ...(segmentNumbers !== undefined && { segment_numbers: segmentNumbers }),
      ...(isDeleted !== undefined && { is_deleted: isDeleted }),
      edited_at: now,
    })
    .where('meeting_id', '=', meetingId)
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .returning(['id', 'kind', 'text', 'speaker', 'segment_numbers as segmentNumbers'])
    .returning('edited_at as editedAt')
    .executeTakeFirst()
  return row ?? null
}

async function insertRow(
  tx: Tx,
  meetingId: string,
  row: {
    id: string
    kind: StatementKind
    number: number | null
    source: RecapItemSource
    statement: StoredWords
  },
  { isDeleted = false, ...change }: StatementChange,
  now: Date,
): Promise<StoredWords> {
  const { id, kind, number, source, statement: found } = row
  const { count } = await tx
    .selectFrom('recap_item')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('meeting_id', '=', meetingId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_STATEMENT_ROWS) throw new ServiceError('too_many_recap_items')
  const statement = { ...found, ...change }
  await tx
    .insertInto('recap_item')
    .values({
      meeting_id: meetingId,
      id,
      kind,
      number,
      text: statement.text,
      speaker: statement.speaker,
      segment_numbers: statement.segmentNumbers,
      is_deleted: isDeleted,
      source,
      found_text: found.text,
      found_speaker: found.speaker,
      found_segment_numbers: found.segmentNumbers,
      created_at: now,
      edited_at: now,
    })
    .execute()
  return statement
}

/** Finds the statements of a new recap that people have changed or deleted, so that it keeps their changes. */
export async function matchRecapItems(
  tx: Tx,
  meetingId: string,
  content: RecapContent,
): Promise<void> {
  const rows = await tx
    .selectFrom('recap_item')
    .select(['id', 'kind', 'number', 'text', 'source', 'found_text', 'found_speaker'])
    .select('found_segment_numbers')
    .where('meeting_id', '=', meetingId)
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const kind of STATEMENT_KINDS) {
    const own = rows.filter((row) => row.kind === kind)
    const numbers = new Map<number, number>()
    const found: readonly FoundStatement[] = content[STATEMENT_LISTS[kind]]
    const matches = matchStatements(
      own.map((row) => ({
        texts: [row.found_text, row.text],
        person: row.found_speaker,
        segmentNumbers: row.found_segment_numbers,
        // A sentence of a summary cites many segments, so two different ones often share one.
        needsCommonWords: kind === 'summary' || row.source === 'person',
      })),
      found.map(({ text, speaker = null, segmentNumbers }) => ({
        texts: [text],
        person: speaker,
        segmentNumbers,
      })),
    )
    for (const [foundIndex, storedIndex] of matches) numbers.set(storedIndex, foundIndex + 1)
    for (const [i, row] of own.entries()) {
      const number = numbers.get(i) ?? null
      if (number === row.number) continue
      await tx
        .updateTable('recap_item')
        .set({ number })
        .where('meeting_id', '=', meetingId)
        .where('id', '=', row.id)
        .execute()
    }
  }
}
