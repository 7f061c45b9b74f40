import { z } from 'zod'

import { isEventPosition } from '../../meetings/reading/event-log.ts'
import { Instant } from './common.ts'
import { limitParameter, integerParameter } from './query-parameters.ts'
import { EVENT_TYPES } from './values.ts'

const eventType = z.enum(EVENT_TYPES)

/** One event, exactly as it is sent to the callback URL. */
export const MeetingEvent = z
  .object({
    type: eventType,
    meetingId: z.string(),
    sequence: z.int(),
    timestamp: Instant,
    payload: z.record(z.string(), z.unknown()).describe('As for the webhook of this type'),
  })
  .meta({ id: 'Event' })

export const EventsResponse = z.object({ events: z.array(MeetingEvent) })

export const EventsQuery = z.object({
  after: integerParameter('after').optional().describe('The last sequence that is known already'),
  limit: limitParameter().optional().describe('Default 100, at most 1000'),
  wait: integerParameter('wait').optional().describe('Seconds to wait for an event, at most 25'),
})

export const MeetingStreamQuery = z.object({
  after: integerParameter('after')
    .optional()
    .describe('Begin behind this sequence; the header Last-Event-ID does the same'),
})

export const AllEventsStreamQuery = z.object({
  after: z
    .string()
    .refine(isEventPosition, 'Must be the id of an event of this stream')
    .optional()
    .describe('Begin behind this id; the header Last-Event-ID does the same'),
  events: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(eventType))
    .optional()
    .describe('Types, separated by commas; all without it'),
  meeting: z.string().min(1).max(100).optional().describe('Only of this meeting'),
})
