import { z } from 'zod'
import { NullableDocumentPath, MeetingStatusField } from './meeting-fields.ts'
import { MEETING_PLATFORMS, TRANSCRIPT_FORMATS } from '../values.ts'
import { createIntegerParameterSchema, createLimitParameterSchema } from '../query-parameters.ts'
import { Count, Instant, MeetingId, Ordinal } from '../common.ts'
import {
  GAP_CAUSE_DESCRIPTION,
  GAP_TEXT_DESCRIPTION,
} from '../../../meetings/transcript/gap-causes.ts'

import {
  INCOMPLETE_DESCRIPTION,
  SEGMENT_SOURCE_DESCRIPTION,
  SEGMENT_SOURCES,
} from '../../../meetings/captions/segment-sources.ts'

export const Segment = z
  .object({
    speaker: z.string(),
    text: z.string(),
    timestamp: Instant,
    segmentNumber: Ordinal.describe('Consecutive, from 1'),
    source: z.enum(SEGMENT_SOURCES).describe(SEGMENT_SOURCE_DESCRIPTION),
    incomplete: z.boolean().optional().describe(INCOMPLETE_DESCRIPTION),
  })
  .meta({ id: 'Segment' })

export const TranscriptGap = z
  .object({
    cause: z.string().describe(GAP_CAUSE_DESCRIPTION),
    startedAt: Instant,
    endedAt: Instant.nullable().describe('null while the gap lasts'),
    afterSegmentNumber: Count.describe('The last segment before the gap; 0 for none'),
    text: z.string().describe(GAP_TEXT_DESCRIPTION),
  })
  .meta({ id: 'TranscriptGap' })

export const TranscriptResponse = z.object({
  meetingId: MeetingId,
  status: MeetingStatusField,
  project: z.string(),
  documentPath: NullableDocumentPath,
  segments: z
    .array(Segment)
    .describe(
      'In the order in which they became final while the meeting is active; by start time once it is over. With `after` or `limit` always by segment number',
    ),
  gaps: z
    .array(TranscriptGap)
    .describe('Times in which nothing was recorded, oldest first; with a range those in it'),
  title: z.string(),
  platform: z.enum(MEETING_PLATFORMS),
  startedAt: Instant,
  endedAt: Instant.nullable().describe('Null while the meeting is running'),
  participants: z.array(z.string()).describe('Names of everyone who took part'),
})

/** The part of a transcript to return. */
export const TranscriptSegmentRangeQuery = z.object({
  after: createIntegerParameterSchema(0)
    .optional()
    .describe('Only segments after this segment number'),
  limit: createLimitParameterSchema()
    .optional()
    .describe('Maximum number of segments after `after`; default all'),
})
export const TranscriptQuery = TranscriptSegmentRangeQuery.extend({
  format: z
    .enum(TRANSCRIPT_FORMATS)
    .meta({ default: 'json' })
    .optional()
    .describe('json: this object; otherwise the transcript as text'),
})
export type ApiSegment = z.input<typeof Segment>
export type ApiTranscriptGap = z.input<typeof TranscriptGap>
export type ApiTranscript = z.input<typeof TranscriptResponse>
