import { z } from 'zod'
import { createCursorParameterSchema, PageSizeParameter } from '../query-parameters.ts'
import { Count, Instant, MeetingId, NextCursor } from '../common.ts'
import { REMOVAL_COUNT_NAMES } from '../../../meetings/removal/removal.ts'

const RemovedCounts = z
  .object(
    Object.fromEntries(REMOVAL_COUNT_NAMES.map((name) => [name, Count])) as Record<
      (typeof REMOVAL_COUNT_NAMES)[number],
      typeof Count
    >,
  )
  .meta({ id: 'RemovedCounts' })

export const RemoveMeetingResponse = z.object({
  success: z.literal(true),
  meetingId: MeetingId,
  removed: RemovedCounts.describe('How much stored data of the meeting was deleted'),
})

export const RemovalsQuery = z.object({
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(300),
})
export const RemovalsResponse = z.object({
  removals: z.array(
    z.object({
      meetingId: MeetingId,
      at: Instant,
      removedBy: z.string().describe('Id of the token or user, or retention'),
      removed: RemovedCounts,
    }),
  ),
  nextCursor: NextCursor,
})
