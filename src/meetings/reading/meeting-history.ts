import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { Meeting } from '../meeting.ts'
import type { MeetingStatus } from '../status.ts'
import { selectMeetings, toMeeting } from '../store.ts'

export type MeetingHistoryFilter = {
  project?: string | undefined
  status?: MeetingStatus | undefined
  platform?: PlatformName | undefined
  /** Part of the title. */
  text?: string | undefined
}

export type MeetingHistoryPage = { meetings: Meeting[]; nextCursor: string | null }

/** Newest first. The cursor names the last row seen, so pages never overlap while meetings come and go. */
export async function readMeetingHistory(
  db: Db,
  filter: MeetingHistoryFilter,
  limit: number,
  cursor: string | undefined,
): Promise<MeetingHistoryPage> {
  const { project, status, platform, text } = filter
  const after = cursor === undefined ? null : parseCursor(cursor)
  const rows = await selectMeetings(db)
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ended'))
    .$if(platform !== undefined, (query) => query.where('platform', '=', platform ?? 'practice'))
    .$if(text !== undefined, (query) =>
      query.where((eb) => {
        const pattern = `%${(text ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
        return eb.or([eb('title', 'ilike', pattern), eb('label', 'ilike', pattern)])
      }),
    )
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('started_at', 'id'),
          '<',
          eb.tuple(after?.at ?? new Date(0), after?.id ?? ''),
        ),
      ),
    )
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const meetings = rows.slice(0, limit).map(toMeeting)
  const last = meetings.at(-1)
  return { meetings, nextCursor: rows.length > limit && last ? formatCursor(last) : null }
}

function formatCursor({ startedAt, id }: Meeting): string {
  return Buffer.from(`${startedAt.getTime()} ${id}`).toString('base64url')
}

function parseCursor(cursor: string): { at: Date; id: string } {
  const [, at, id] =
    /^(\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at !== undefined && id !== undefined) return { at: new Date(Number(at)), id }
  throw new ServiceError('invalid_request', {
    details: [{ path: 'cursor', message: 'Must be the nextCursor of an earlier answer' }],
  })
}
