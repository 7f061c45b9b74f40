import type { RecapSource } from '../../src/recap/recap.ts'
import type { LabelledMeeting } from '../../src/recap/trial/labelled-meetings.ts'

const SEGMENT_MS = 3_600

/** A meeting of any length, made by repeating the segments of the labelled meetings in one language. */
export function buildLongMeeting(
  meetings: readonly LabelledMeeting[],
  segmentCount: number,
): RecapSource {
  const pool = meetings.flatMap(({ source }) => source.segments)
  const [first] = meetings
  if (first === undefined) throw new Error('no meeting to repeat')
  return {
    ...first.source,
    participants: [...new Set(meetings.flatMap(({ participants }) => participants))],
    segments: Array.from({ length: segmentCount }, (_, index) => {
      const { speaker = '', text = '' } = pool[index % pool.length] ?? {}
      // The number makes equal sentences different, as in a real meeting.
      return {
        number: index + 1,
        speaker,
        text: `${text} Item ${index}.`,
        startMs: index * SEGMENT_MS,
        endMs: (index + 1) * SEGMENT_MS,
      }
    }),
  }
}
