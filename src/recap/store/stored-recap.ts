import { sql, type UpdateObject } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import { setRecapTitle } from '../../meetings/record/meeting-store.ts'
import type { Recap, RecapMethod } from '../recap.ts'
import { replaceActionItems } from './action-items.ts'
import { RecapLeaseLost, type RecapLease } from './recap-claims.ts'
import { lockMeetingOfRecap } from './recap-changes.ts'
import type { EditedContent } from './recap-item.ts'
import { applyRecapItems, matchRecapItems, selectRecapItems } from './recap-items.ts'
import type { RecapDocumentState, RecapStep } from './recap-row.ts'

/** The stored recap of a meeting without its action items, as people have changed it. */
export type StoredRecap = {
  meetingId: string
  step: RecapStep
  version: number
  method: RecapMethod | null
  model: string | null
  error: string | null
  content: EditedContent | null
  droppedStatements: number
  tokens: number
  costUsd: number | null
  madeAt: Date | null
  documentState: RecapDocumentState
  documentParts: string[]
}

export async function findStoredRecap(db: Db, meetingId: string): Promise<StoredRecap | null> {
  const row = await db
    .selectFrom('recap')
    .selectAll()
    .select(selectRecapItems(sql.ref('recap.meeting_id')).as('items'))
    .where('meeting_id', '=', meetingId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    meetingId,
    step: row.step,
    version: row.version,
    method: row.method,
    model: row.model,
    error: row.error,
    content: row.data && applyRecapItems(meetingId, row.data, row.items),
    droppedStatements: row.dropped_statements,
    tokens: Number(row.tokens),
    costUsd: row.cost_usd,
    madeAt: row.made_at,
    documentState: row.document_state,
    documentParts: row.document_parts,
  }
}

/** How a recap was made. */
export type RecapOrigin = {
  model: string | null
  droppedStatements: number
  /** What is wrong with it, for people. */
  problem?: string | null
  nextStep: RecapStep
  at: Date
}

/**
 * Stores a recap and its action items, in one transaction with `beforeCommit`, and continues with the next step. What
 * people added, changed and deleted stays.
 */
export async function saveRecap(
  db: Db,
  lease: RecapLease,
  { actions, method, ...content }: Recap,
  { model, droppedStatements, problem = null, nextStep, at }: RecapOrigin,
  beforeCommit?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMeeting(tx, lease)
    await updateOwnedRecap(tx, lease, {
      ...stepColumns(nextStep, at),
      version: sql<number>`version + 1`,
      method,
      model,
      error: problem,
      data: JSON.stringify(content),
      dropped_statements: droppedStatements,
      made_at: at,
      ready_at: sql<Date>`coalesce(ready_at, ${at})`,
    })
    await setRecapTitle(tx, lease.meetingId, content.title ?? null)
    await replaceActionItems(tx, lease.meetingId, { actions, source: method, at })
    await matchRecapItems(tx, lease.meetingId, content)
    await beforeCommit?.(tx)
  })
}

/** Ends a step without a new recap: the model failed, or the recap cannot be made at all. */
export async function skipRecapStep(
  db: Db,
  lease: RecapLease,
  { nextStep, error, at }: { nextStep: RecapStep; error: string; at: Date },
  beforeCommit?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMeeting(tx, lease)
    await updateOwnedRecap(tx, lease, {
      ...stepColumns(nextStep, at),
      version: sql<number>`version + 1`,
      error,
    })
    await beforeCommit?.(tx)
  })
}

/** How many recap parts in a document the service recognizes as its own. */
const MAX_KNOWN_PARTS = 20

/** Stores a part's hash before the part is written, so that it is recognized even after a crash during the write. */
export async function addDocumentPart(db: Db, lease: RecapLease, hash: string): Promise<void> {
  await updateOwnedRecap(db, lease, {
    document_parts: sql<string[]>`(array_append(array_remove(document_parts, ${hash}), ${hash}))[
      greatest(1, cardinality(array_remove(document_parts, ${hash})) + 2 - ${MAX_KNOWN_PARTS}::int):]`,
  })
}

/**
 * Ends the work on a recap and returns `done`. Returns `document` if the recap changed since `version` was read: then
 * the document must be written again.
 */
export async function finishRecap(
  db: Db,
  lease: RecapLease,
  { version, documentState }: { version: number; documentState: RecapDocumentState },
): Promise<'done' | 'document'> {
  const row = await updateOwnedRecap(db, lease, {
    step: sql<RecapStep>`case when version = ${version} then 'done' else step end`,
    due_at: sql<Date | null>`case when version = ${version} then null else due_at end`,
    owner: sql<string | null>`case when version = ${version} then null else owner end`,
    attempts: 0,
    document_state: documentState,
  })
  return row.step === 'done' ? 'done' : 'document'
}

/**
 * Makes a recap again from the beginning, or a meeting's first one. Work in progress loses its lease. Throws
 * `meeting_not_found` if the meeting was removed.
 */
export async function requestRecap(db: Db, meetingId: string, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`insert into recap (meeting_id, step, due_at, created_at)
    select id, 'rules', ${now}, ${now} from meeting where id = ${meetingId} for key share
    on conflict (meeting_id) do update set step = 'rules', due_at = excluded.due_at, owner = null,
      fence = recap.fence + 1, attempts = 0,
      error = case when recap.data is null then null else recap.error end`.execute(db)
  if (numAffectedRows === 0n) throw new ServiceError('meeting_not_found')
}

/** Adds the tokens that the model used, even if its answer could not be used. */
export async function addRecapTokens(
  tx: Tx,
  meetingId: string,
  { tokens, costUsd }: { tokens: number; costUsd: number | null },
): Promise<void> {
  await sql`update recap set tokens = tokens + ${tokens}, cost_usd = case
      when ${costUsd}::float8 is null then cost_usd else coalesce(cost_usd, 0) + ${costUsd}::float8 end
    where meeting_id = ${meetingId}`.execute(tx)
}

async function lockMeeting(tx: Tx, { meetingId }: RecapLease): Promise<void> {
  if (!(await lockMeetingOfRecap(tx, meetingId))) throw new RecapLeaseLost(meetingId)
}

function stepColumns(step: RecapStep, at: Date) {
  return {
    step,
    attempts: 0,
    due_at: step === 'done' ? null : at,
    ...(step === 'done' && { owner: null }),
  }
}

/** Changes the recap. Throws `RecapLeaseLost` if the lease is no longer valid. */
async function updateOwnedRecap(
  db: Db,
  { meetingId, nodeId, fence }: RecapLease,
  columns: UpdateObject<Database, 'recap'>,
): Promise<{ step: RecapStep }> {
  const row = await db
    .updateTable('recap')
    .set(columns)
    .where('meeting_id', '=', meetingId)
    .where('owner', '=', nodeId)
    .where('fence', '=', fence)
    .returning('step')
    .executeTakeFirst()
  if (row === undefined) throw new RecapLeaseLost(meetingId)
  return row
}
