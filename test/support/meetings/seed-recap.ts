import { connectToDatabase, type Db } from '../../../src/db/database.ts'
import { newId } from '../../../src/lib/crypto.ts'
import { createLog } from '../../../src/log.ts'
import { createMeetingId } from '../../../src/meetings/meeting.ts'
import { MEETING_OPTIONS } from './seed-meeting.ts'

export type SeededAction = { text: string; owner?: string | null; dueDate?: string; state?: 'done' }
export type SeededMeeting = {
  title: string
  startedAt: Date
  project?: string
  platform?: 'google_meet' | 'microsoft_teams' | 'practice'
  /** The sentences of the recap. Without them, the meeting has no recap. */
  summary?: readonly string[]
  decisions?: ReadonlyArray<{ text: string; speaker: string | null }>
  actions?: readonly SeededAction[]
  /** Why the meeting failed; absent if it did not. */
  failure?: 'denied' | 'lobby_timeout'
}

/** Inserts ended meetings with recaps and action items, as if bots had attended them. Returns their ids. */
export async function seedMeetingsWithRecaps(
  databaseUrl: string,
  meetings: readonly SeededMeeting[],
): Promise<string[]> {
  const { db, close } = await connectToDatabase(
    { connectionString: databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  try {
    return await db.transaction().execute(async (tx) => {
      const ids: string[] = []
      for (const meeting of meetings) ids.push(await seed(tx, meeting))
      return ids
    })
  } finally {
    await close()
  }
}

async function seed(db: Db, meeting: SeededMeeting): Promise<string> {
  const { title, startedAt, project = 'api', platform = 'google_meet', summary, failure } = meeting
  const id = createMeetingId(startedAt)
  const endedAt = new Date(startedAt.getTime() + 30 * 60_000)
  await db
    .insertInto('meeting')
    .values({
      id,
      platform,
      url: 'https://meet.google.com/abc-defg-hij',
      room: id,
      label: 'abc-defg-hij',
      title,
      project,
      document_path: null,
      callback_url: '',
      token_id: null,
      options: JSON.stringify(MEETING_OPTIONS),
      status: failure === undefined ? 'ended' : 'error',
      reason: failure ?? 'host_ended',
      started_at: startedAt,
      ended_at: endedAt,
      participant_count: 4,
      words_version: 1_000,
      tasks_started: true,
    })
    .execute()
  if (summary === undefined) return id
  const cited = { segmentNumbers: [1] }
  const content = {
    language: 'en',
    summary: summary.map((text) => ({ text, ...cited })),
    decisions: (meeting.decisions ?? []).map((decision) => ({ ...decision, ...cited })),
    openQuestions: [],
    topics: [],
    coverage: { segmentsRead: 1, segmentsTotal: 1 },
  }
  await db
    .insertInto('recap')
    .values({
      meeting_id: id,
      step: 'done',
      method: 'rules',
      data: JSON.stringify(content),
      created_at: endedAt,
      made_at: endedAt,
      ready_at: endedAt,
    })
    .execute()
  for (const [i, { text, owner = null, dueDate = null, state }] of (
    meeting.actions ?? []
  ).entries()) {
    await db
      .insertInto('action_item')
      .values({
        id: newId('action'),
        meeting_id: id,
        number: i + 1,
        text,
        owner,
        due_text: null,
        due_date: dueDate,
        segment_numbers: [1],
        source: 'rules',
        found_text: text,
        found_owner: owner,
        created_at: endedAt,
        ...(state && { state }),
      })
      .execute()
  }
  return id
}
