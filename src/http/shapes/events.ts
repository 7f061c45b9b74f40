import { z } from 'zod'
import { isEventPosition } from '../../meetings/reading/event-log.ts'
import { Instant } from './common.ts'
import { createLimitParameterSchema, createIntegerParameterSchema } from './query-parameters.ts'
import { EVENT_TYPES } from './values.ts'

const eventType = z.enum(EVENT_TYPES)

/** One event of a meeting. Its JSON has the same bytes as the body of the callback that delivers the event. */
export const MeetingEvent = z
  .object({
    type: eventType,
    meetingId: z.string(),
    sequence: z.int(),
    timestamp: Instant,
    payload: z.record(z.string(), z.unknown()).describe('The same as in the webhook of this type'),
  })
  .meta({ id: 'Event' })

export const EventsResponse = z.object({ events: z.array(MeetingEvent) })

export const EventsQuery = z.object({
  after: createIntegerParameterSchema().optional().describe('Only events after this sequence'),
  limit: createLimitParameterSchema().optional().describe('Default 100, at most 1000'),
  wait: createIntegerParameterSchema()
    .optional()
    .describe('How many seconds to wait for an event, at most 25'),
})

export const MeetingEventStreamQuery = z.object({
  after: createIntegerParameterSchema()
    .optional()
    .describe('Start after this sequence; the header Last-Event-ID does the same'),
})

export const AllEventsStreamQuery = z.object({
  after: z
    .string()
    .refine(isEventPosition, 'Must be the id of an event of this stream')
    .optional()
    .describe('Start after this id; the header Last-Event-ID does the same'),
  events: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(eventType))
    .optional()
    .describe('Event types, separated by commas; default all'),
  meeting: z.string().min(1).max(100).optional().describe('Only events of this meeting'),
})
