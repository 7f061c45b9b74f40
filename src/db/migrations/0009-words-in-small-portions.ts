import { sql, type Kysely } from 'kysely'

/**
 * All writes wait while a full pending list of the index is merged. With a list of 512 kB, the pause delayed callbacks
 * noticeably. With 64 kB, the minimum, merges are eight times as frequent but too short to notice.
 */
const STATEMENT = `alter index segment_words set (gin_pending_list_limit = 64)`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db)
}
