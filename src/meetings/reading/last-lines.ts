import { sql } from 'kysely'
import { shortenToOneLine } from '../../coach/text/display-text.ts'
import type { Db } from '../../db/database.ts'

const MAX_CHARS = 160

/** What was said last in each of these meetings, such as "Ada: Good morning." Meetings without words are left out. */
export async function readLastLines(
  db: Db,
  meetingIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (meetingIds.length === 0) return new Map()
  const { rows } = await sql<{ meetingId: string; speaker: string; text: string }>`
    select m.id as "meetingId", s.speaker, s.text from unnest(${meetingIds}::text[]) as m(id)
    cross join lateral (select speaker, text from segment where meeting_id = m.id
      order by number desc limit 1) s`.execute(db)
  return new Map(
    rows.map(({ meetingId, speaker, text }) => {
      const line = speaker === '' ? text : `${speaker}: ${text}`
      return [meetingId, shortenToOneLine(line, MAX_CHARS)]
    }),
  )
}
