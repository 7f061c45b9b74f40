import { z } from 'zod'
import { EVENTS, EVENT_TYPES, type EventType } from '../../meetings/event-types.ts'
import { MeetingId, Ordinal } from '../shapes/common.ts'
import { toJsonSchema, type JsonSchema, type NamedSchemas } from './json-schema.ts'
import { snakeToPascalCase } from './operation-names.ts'
import { jsonContent } from './operations.ts'

/** Headers of every callback. A test compares these names with the headers that are sent. */
export const CALLBACK_HEADERS = {
  'X-Service-Signature': {
    description:
      '`sha256=` and the lowercase hexadecimal HMAC-SHA256 of the raw body, with the signing secret as key',
    schema: {
      type: 'string',
      pattern: '^sha256=[0-9a-f]{64}$',
      examples: ['sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'],
    },
  },
  'X-Service-Event': {
    description: 'The type of the event',
    schema: { type: 'string', examples: ['segment_finalized'] },
  },
  'X-Service-Meeting-Id': {
    description: 'The meeting',
    schema: { type: 'string', examples: ['meeting_1763195400000_k3v9x0q2m4za'] },
  },
  'X-Service-Delivery-Id': {
    description: 'The id of this attempt; different in each attempt',
    schema: { type: 'string', examples: ['dlv_0ToY1a2B5b0c6a1f9d2f1a7e3b4c'] },
  },
  'X-Service-Previous-Sequence': {
    description: 'The sequence of the stored event before this one; 0 for the first',
    schema: { type: 'integer', minimum: 0, format: 'int64', examples: [11] },
  },
  'webhook-id': {
    description: '`<meetingId>_<sequence>`, the same in every attempt',
    schema: { type: 'string', examples: ['meeting_1763195400000_k3v9x0q2m4za_12'] },
  },
  'webhook-timestamp': {
    description: 'When this attempt was signed, in seconds since 1970',
    schema: { type: 'integer', minimum: 0, format: 'int64', examples: [1_763_195_402] },
  },
  'webhook-signature': {
    description:
      '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`; several signatures are separated by spaces',
    schema: { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  },
} as const

const CALLBACK_RESPONSES = {
  '2XX': { description: 'Delivered: the next event is sent' },
  400: { description: 'Rejected: the event is tried five times, then the next one is sent' },
  401: { description: 'Failed, for example because of a wrong signature: the event is retried' },
  410: { description: 'Gone: nothing more is sent for this meeting' },
  '5XX': { description: 'Failed: the event is retried; `Retry-After` is respected' },
} as const

/** Describes the callbacks that a receiver gets, from the table of event types, as webhooks of OpenAPI. */
export function describeCallbacks(schemas: NamedSchemas): Record<string, object> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [type, { post: describeCallback(type, schemas) }]),
  )
}

function describeCallback(type: EventType, schemas: NamedSchemas): object {
  return {
    operationId: `callbacks.on${snakeToPascalCase(type)}`,
    summary: EVENTS[type].about,
    description: describeDelivery(type),
    tags: ['Meetings'],
    security: [],
    parameters: Object.entries(CALLBACK_HEADERS).map(([header, facts]) => ({
      name: header,
      in: 'header',
      required: true,
      ...facts,
    })),
    requestBody: { required: true, content: jsonContent(eventSchema(type, schemas)) },
    responses: CALLBACK_RESPONSES,
  }
}

export function describeDelivery(type: EventType): string {
  return EVENTS[type].isStored
    ? 'Stored; sent in the order of its sequence and retried until your server accepts it.'
    : 'Sent at most once, with the sequence of the event before it, and never stored.'
}

/** The JSON of an event. It has no name, because generators drop schemas that only webhooks use. */
export function eventSchema(type: EventType, schemas: NamedSchemas): JsonSchema {
  const event = z.object({
    type: z.literal(type),
    meetingId: MeetingId,
    sequence: Ordinal.describe('Per meeting, from 1, strictly increasing'),
    timestamp: z.iso.datetime({ precision: 3 }),
    payload: EVENTS[type].payload,
  })
  return toJsonSchema(event, schemas)
}
