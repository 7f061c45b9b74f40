import type { Db } from '../../src/db/database.ts'
import { newId } from '../../src/lib/crypto.ts'

type Said = { text: string; speaker?: string; line: number }
type Task = { text: string; owner?: string; due?: string; line: number }

/** Stores a recap by rules for an ended meeting. Each statement cites one line. */
export async function storeRecapOf(
  db: Db,
  meetingId: string,
  {
    decisions = [],
    questions = [],
    actions = [],
  }: { decisions?: Said[]; questions?: Said[]; actions?: Task[] },
): Promise<void> {
  const at = new Date()
  const toStatement = ({
    text,
    speaker = null,
    line,
  }: Omit<Said, 'speaker'> & { speaker?: string | null }) => ({
    text,
    speaker,
    segmentNumbers: [line],
  })
  const content = {
    language: 'en',
    summary: [],
    decisions: decisions.map(toStatement),
    openQuestions: questions.map(toStatement),
    topics: [],
    coverage: { segmentsRead: 1, segmentsTotal: 1 },
  }
  await db
    .insertInto('recap')
    .values({
      meeting_id: meetingId,
      step: 'done',
      method: 'rules',
      data: JSON.stringify(content),
      created_at: at,
      made_at: at,
    })
    .execute()
  for (const [i, { text, owner = null, due = null, line }] of actions.entries())
    await db
      .insertInto('action_item')
      .values({
        id: newId('action'),
        meeting_id: meetingId,
        number: i + 1,
        text,
        owner,
        due_text: null,
        due_date: due,
        segment_numbers: [line],
        source: 'rules',
        found_text: text,
        found_owner: owner,
        created_at: at,
      })
      .execute()
}
