import { sql } from 'kysely'
import { shortenToOneLine } from '../../coach/text/display-text.ts'
import type { Db } from '../../db/database.ts'

export const MAX_GIST_CHARS = 160

/** The first sentence of the summary of each recap, cut after a word. A meeting without a recap is left out. */
export async function readGists(
  db: Db,
  meetingIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (meetingIds.length === 0) return new Map()
  const { rows } = await sql<{ meetingId: string; text: string }>`
    select meeting_id as "meetingId", gist as text from recap
    where meeting_id = any(${meetingIds}::text[]) and gist <> ''`.execute(db)
  return new Map(
    rows.map(({ meetingId, text }) => [meetingId, shortenToOneLine(text, MAX_GIST_CHARS)]),
  )
}
