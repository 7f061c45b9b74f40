import { z } from 'zod'
import { ALL_MEETINGS_POSITION_PATTERN } from '../../../meetings/reading/event-log.ts'
import { Instant, MeetingId, Ordinal } from '../common.ts'
import { MeetingIdInput } from './meeting-fields.ts'
import { createLimitParameterSchema, createIntegerParameterSchema } from '../query-parameters.ts'
import { EVENT_TYPES } from '../values.ts'

const eventType = z.enum(EVENT_TYPES)
const EVENT_LIST_PATTERN = `^(?:${EVENT_TYPES.join('|')})(?:,(?:${EVENT_TYPES.join('|')}))*$`

/** One event of a meeting. Its JSON has the same bytes as the body of its callback. */
export const MeetingEvent = z
  .object({
    type: eventType,
    meetingId: MeetingId,
    sequence: Ordinal.describe('Per meeting, from 1, strictly increasing'),
    timestamp: Instant,
    payload: z.record(z.string(), z.unknown()).describe('The same as in the webhook of this type'),
  })
  .meta({ id: 'Event' })

export const EventsResponse = z.object({ events: z.array(MeetingEvent) })

export const DEFAULT_EVENT_LIMIT = 100

export const EventsQuery = z.object({
  after: createIntegerParameterSchema(0).optional().describe('Only events after this sequence'),
  limit: createLimitParameterSchema(DEFAULT_EVENT_LIMIT)
    .optional()
    .describe('How many to return; a number above 1000 counts as 1000'),
  wait: createIntegerParameterSchema(0)
    .optional()
    .describe('How many seconds to wait for an event; a number above 25 counts as 25'),
})

export const MeetingEventStreamQuery = z.object({
  after: createIntegerParameterSchema(0)
    .optional()
    .describe('Start after this sequence; the header Last-Event-ID does the same'),
})

export const AllEventsStreamQuery = z.object({
  after: z
    .string()
    .regex(ALL_MEETINGS_POSITION_PATTERN, 'Must be the id of an event of this stream')
    .optional()
    .describe('Start after this id; the header Last-Event-ID does the same'),
  events: z
    .string()
    .meta({ pattern: EVENT_LIST_PATTERN })
    .transform((text) => text.split(','))
    .pipe(z.array(eventType))
    .optional()
    .describe('Event types, separated by commas; default all'),
  meeting: MeetingIdInput.optional().describe('Only events of this meeting'),
})
