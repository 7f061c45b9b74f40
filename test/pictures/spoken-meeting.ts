import { strict as assert } from 'node:assert'
import { sql } from 'kysely'
import { readOwnMeetings, storeMeeting } from '../../bench/support/spoken-meetings.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { MEETING_OPTIONS } from '../support/meetings/seed-meeting.ts'

/** Stores a meeting of ordinary length as one that has just ended. Unlike a practice meeting, it has real times. */
export async function storeSpokenMeeting(databaseUrl: string): Promise<string> {
  const spoken = readOwnMeetings().find(({ name }) => name === 'product-weekly')
  assert.ok(spoken)
  const seconds = spoken.lines.length * 5
  const startedAt = new Date(Date.now() - seconds * 1_000)
  const { db, close } = await connectToDatabase(
    { connectionString: databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  try {
    const id = await storeMeeting(db, spoken, { project: 'product', startedAt })
    const speakers = [...new Set(spoken.lines.map(({ speaker }) => speaker))]
    await sql`insert into participant (meeting_id, id, name, joined_at, left_at)
      select ${id}, 'p' || n, name, ${startedAt}, now() from unnest(${speakers}::text[]) with ordinality as s(name, n)`.execute(
      db,
    )
    await sql`update meeting set status = 'ended', platform = 'google_meet', live_at = started_at, ended_at = now(),
        participant_count = ${speakers.length}, options = ${JSON.stringify(MEETING_OPTIONS)} where id = ${id}`.execute(
      db,
    )
    return id
  } finally {
    await close()
  }
}
