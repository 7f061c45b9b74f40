import { sql, type Kysely } from 'kysely'

/**
 * New words wait in a list, and whoever fills it puts them all into the index while everybody's writes wait: with half
 * a megabyte of them receivers could see the pause. The least that can be set, eight times as often, they cannot.
 */
const STATEMENT = `alter index segment_words set (gin_pending_list_limit = 64)`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db)
}
