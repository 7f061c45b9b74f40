import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { shortenToOneLine } from '../language/clean-text.ts'
import type { StatementKind } from './store/recap-item.ts'
import { STATEMENT_LISTS } from './store/recap-item.ts'
import {
  listStatements,
  selectRecapItems,
  type FoundStatement,
  type StoredStatement,
} from './store/recap-items.ts'

const MAX_GIST_CHARS = 160

/**
 * One line about each meeting with a recap: how many decisions and action items it has, and the first of them; without
 * both the first sentence of the summary. Other meetings are missing.
 */
export async function readGists(
  db: Db,
  meetingIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (meetingIds.length === 0) return new Map()
  const decisions = await readStatements(db, meetingIds, 'decision')
  const actions = await readActions(db, meetingIds)
  const isPlain = (id: string) => decisions.get(id)?.count === 0 && !actions.has(id)
  const summaries = await readStatements(db, meetingIds.filter(isPlain), 'summary')
  const gists = new Map<string, string>()
  for (const [meetingId, { count, first }] of decisions) {
    const action = actions.get(meetingId)
    const counts = [
      ...(count === 0 ? [] : [formatCount(count, 'decision')]),
      ...(action === undefined ? [] : [formatCount(action.count, 'action')]),
    ].join(', ')
    const text = first ?? action?.first ?? summaries.get(meetingId)?.first ?? ''
    const line = counts === '' ? text : `${counts}: ${text}`
    if (text !== '') gists.set(meetingId, shortenToOneLine(line, MAX_GIST_CHARS))
  }
  return gists
}

type CountAndFirst = { count: number; first: string | undefined }

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

async function readStatements(
  db: Db,
  meetingIds: readonly string[],
  kind: StatementKind,
): Promise<Map<string, CountAndFirst>> {
  if (meetingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('recap')
    .select([
      'meeting_id as meetingId',
      sql<FoundStatement[]>`data->${sql.lit(STATEMENT_LISTS[kind])}`.as('found'),
      selectRecapItems(sql.ref('recap.meeting_id'), kind).as('items'),
    ])
    .where(sql<boolean>`meeting_id = any(${meetingIds}::text[])`)
    .where('data', 'is not', null)
    .$castTo<{ meetingId: string; found: FoundStatement[]; items: StoredStatement[] }>()
    .execute()
  return new Map(
    rows.map(({ meetingId, found, items }) => {
      const list = listStatements(meetingId, kind, found, items)
      return [meetingId, { count: list.length, first: list[0]?.text }]
    }),
  )
}

async function readActions(
  db: Db,
  meetingIds: readonly string[],
): Promise<Map<string, CountAndFirst>> {
  const { rows } = await sql<{ meetingId: string; count: number; first: string }>`
    select meeting_id as "meetingId", count(*)::int as count,
      (array_agg(text order by number, id))[1] as first
    from action_item
    where meeting_id = any(${meetingIds}::text[]) and state <> 'deleted'
    group by meeting_id`.execute(db)
  return new Map(rows.map(({ meetingId, ...rest }) => [meetingId, rest]))
}
