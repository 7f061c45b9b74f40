import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { readTranscript } from '../../src/meetings/transcript/read-transcript.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { eventually } from '../support/time/eventually.ts'
import type { openAttendance } from './open-attendance.ts'

export type Attendance = Awaited<ReturnType<typeof openAttendance>>

export const caption = (captionId: string, text: string): PlatformEvent => ({
  kind: 'caption',
  captionId,
  speaker: 'Ana',
  text,
})
/** A caption that becomes a segment immediately. */
export const finalCaption = (captionId: string, text: string): PlatformEvent => ({
  ...(caption(captionId, text) as PlatformEvent & { kind: 'caption' }),
  version: 1,
  isFinal: true,
})
/** A line that the bot recognized from sound: said `startedMs` ago, and only now recognized. */
export const spoken = (captionId: string, text: string, startedMs: number): PlatformEvent => ({
  ...(finalCaption(captionId, text) as PlatformEvent & { kind: 'caption' }),
  isFromSpeech: true,
  late: { startedMs, changedMs: startedMs - 1_000 },
})

export const OVER: PlatformEvent = { kind: 'over', because: 'host_ended' }
export const after = (seconds: number) => new Date(SEED_TIME.getTime() + seconds * 1000)

export async function readGapsAndTexts({ db, meetingId }: Attendance) {
  const { segments, source } = await readTranscript(db, meetingId)
  return {
    texts: segments.map(({ text }) => text),
    gaps: source.gaps.map(({ cause, startedAt, endedAt, afterSegment }) => ({
      cause,
      startedAt,
      endedAt,
      afterSegment,
    })),
  }
}

/** The gaps in the meeting's events, each with the type of its event. */
export async function reportedGaps({ db }: Attendance) {
  const rows = await db.selectFrom('event').select(['type', 'body']).orderBy('sequence').execute()
  return rows.flatMap(({ type, body }) => {
    const { payload } = JSON.parse(body) as { payload: { gaps?: Array<Record<string, unknown>> } }
    return (payload.gaps ?? []).map((gap) => ({ type, ...gap }))
  })
}

export const waitForSegments = ({ counts }: Attendance, count: number) =>
  eventually(async () => ((await counts()).stored === count ? true : null))
