import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Person } from '../platforms/platform.ts'
import type { Segment } from './captions/segmenter.ts'
import type { NewEvent } from './events.ts'
import { appendEvents, moveMeeting, type Hold, type Move, type Tx } from './store.ts'

/** The meeting has another owner now: whoever gets this must stop at once and write nothing more. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost'
}

/** What the bot of one meeting writes. Each call is one transaction, refused once the hold is lost. */
export interface MeetingWriter {
  move(move: Move): Promise<boolean>
  segments(segments: readonly Segment[], at: Date): Promise<void>
  people(change: PeopleChange, at: Date): Promise<void>
  flushed(count: number, size: number, documentPath: string, at: Date): Promise<void>
}

export type PeopleChange = { joined: readonly Person[]; left: readonly Person[]; count: number }

export function createMeetingWriter(db: Db, { meetingId, fence }: Hold): MeetingWriter {
  /** Locks the row, so that writers of one meeting take turns and the fence is checked by what is stored. */
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('meeting')
        .select('fence')
        .where('id', '=', meetingId)
        .forUpdate()
        .executeTakeFirst()
      if (row?.fence !== fence) throw new HoldLost(`meeting ${meetingId} has another owner`)
      return work(tx)
    })

  return {
    move: (move) => write((tx) => moveMeeting(tx, meetingId, move, fence)),

    async segments(segments, at) {
      if (segments.length === 0) return
      await write(async (tx) => {
        const { segment_count: last } = await tx
          .updateTable('meeting')
          .set({ segment_count: sql`segment_count + ${segments.length}` })
          .where('id', '=', meetingId)
          .returning('segment_count')
          .executeTakeFirstOrThrow()
        const rows = segments.map((segment, i) => ({
          meeting_id: meetingId,
          number: last - segments.length + 1 + i,
          caption_id: segment.captionId,
          speaker: segment.speaker,
          text: segment.text,
          started_at: new Date(segment.startedAt),
        }))
        await tx.insertInto('segment').values(rows).execute()
        await appendEvents(tx, meetingId, at, rows.map(toSegmentEvent))
      })
    },

    async people({ joined, left, count }, at) {
      if (joined.length === 0 && left.length === 0) return
      await write(async (tx) => {
        await tx
          .updateTable('meeting')
          .set({ participant_count: count })
          .where('id', '=', meetingId)
          .execute()
        for (const person of joined) await upsertParticipant(tx, meetingId, person, at)
        if (left.length > 0) {
          await tx
            .updateTable('participant')
            .set({ left_at: at })
            .where('meeting_id', '=', meetingId)
            .where(
              'id',
              'in',
              left.map(({ id }) => id),
            )
            .execute()
        }
        await appendEvents(tx, meetingId, at, peopleEvents({ joined, left, count }, at))
      })
    },

    async flushed(count, size, documentPath, at) {
      await write(async (tx) => {
        const { segment_count: totalSegments } = await tx
          .updateTable('meeting')
          .set({ flushed_count: sql`flushed_count + ${count}`, document_size: size })
          .where('id', '=', meetingId)
          .returning('segment_count')
          .executeTakeFirstOrThrow()
        const payload = { documentPath, segmentsWritten: count, totalSegments }
        await appendEvents(tx, meetingId, at, [{ type: 'document_saved', payload }])
      })
    },
  }
}

type SegmentRow = {
  number: number
  caption_id: string
  speaker: string
  text: string
  started_at: Date
}

function toSegmentEvent(row: SegmentRow): NewEvent {
  return {
    type: 'segment_finalized',
    payload: {
      speaker: row.speaker,
      text: row.text,
      timestamp: row.started_at.toISOString(),
      segmentNumber: row.number,
      captionId: row.caption_id,
    },
  }
}

async function upsertParticipant(
  tx: Tx,
  meetingId: string,
  person: Person,
  at: Date,
): Promise<void> {
  const is_host = person.isHost ?? false
  await tx
    .insertInto('participant')
    .values({ meeting_id: meetingId, id: person.id, name: person.name, is_host, joined_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['meeting_id', 'id'])
        .doUpdateSet({ name: person.name, is_host, left_at: null }),
    )
    .execute()
}

/** Each event tells the count after it, so the events of one change count up and down in turn. */
function peopleEvents({ joined, left, count }: PeopleChange, at: Date): NewEvent[] {
  const before = count - joined.length + left.length
  const payload = (person: Person, participantCount: number) => ({
    participantId: person.id,
    name: person.name,
    participantCount,
    timestamp: at.toISOString(),
  })
  return [
    ...left.map((person, i): NewEvent => ({
      type: 'participant_left',
      payload: payload(person, before - i - 1),
    })),
    ...joined.map((person, i): NewEvent => ({
      type: 'participant_joined',
      payload: payload(person, before - left.length + i + 1),
    })),
  ]
}
