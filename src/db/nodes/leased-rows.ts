import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import { buildMayClaimCondition, buildOwnerDeadCondition } from './node-conditions.ts'

/** Tables whose rows nodes lease by the columns `owner` and `fence`. */
type LeasedTable = 'calendar' | 'connection' | 'mail' | 'recording'
/** A node's right to write to a row. The fence rises with every claim, so a former owner can store nothing. */
type RowLease = { id: string; nodeId: string; fence: number }

/** SQL condition: this node may claim the row of the alias, which has no live owner. */
export function buildClaimableCondition(alias: string, nodeId: string): RawBuilder<boolean> {
  const owner = `${alias}.owner`
  return sql`(${buildMayClaimCondition(nodeId)}
    and (${sql.ref(owner)} is null or ${buildOwnerDeadCondition(owner, nodeId)}))`
}

/** What `startLeasedWork` has to know of the rows of a table. */
export function createRowLeases(db: Db, table: LeasedTable, nodeId: string) {
  return {
    async findOwned() {
      const { rows } = await sql<{ id: string; fence: number }>`
        select id, fence from ${sql.table(table)} where owner = ${nodeId}`.execute(db)
      return rows
    },
    async release({ id, fence }: { id: string; fence: number }): Promise<void> {
      await sql`update ${sql.table(table)} set owner = null
        where ${holdsRowLease({ id, nodeId, fence })}`.execute(db)
    },
  }
}

/** SQL condition: the lease still owns the row. */
export function holdsRowLease({ id, nodeId, fence }: RowLease): RawBuilder<boolean> {
  return sql`(id = ${id} and owner = ${nodeId} and fence = ${fence})`
}

/**
 * SQL: when a leased row is polled next. If a person asked for a poll while the one for `dueAt` was running, that
 * request comes before the planned one.
 */
export function buildNextPoll(dueAt: Date, planned: Date): RawBuilder<Date> {
  return sql`case when next_poll_at > ${dueAt}::timestamptz
    then least(next_poll_at, ${planned}::timestamptz) else ${planned}::timestamptz end`
}

/**
 * SQL: when a leased row is polled after its provider reported a change. A row that was just polled waits for a moment, so that many
 * reports do not become many polls. A running poll may already have read what changed, so another one follows it.
 */
export function buildSoonerPoll(now: Date, pauseMs: number): RawBuilder<Date> {
  const soon = sql<Date>`greatest(${now}::timestamptz,
    polled_at + make_interval(secs => ${pauseMs / 1_000}))`
  return sql`case when owner is null then least(next_poll_at, ${soon})
    else ${soon} + interval '1 millisecond' end`
}
