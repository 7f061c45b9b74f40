import { EVENT_TYPES, EVENTS, type EventType } from '../../meetings/event-types.ts'
import { CALLBACK_HEADERS, describeDelivery, eventSchema } from './callbacks.ts'
import { INFO, SECURITY_SCHEMES } from './document.ts'
import type { NamedSchemas } from './json-schema.ts'

const STREAM =
  'Server-sent events: `event` is the type, `data` the JSON of the event, and `id` the place after which a stream can continue.'

/** Where events go. The address of a receiver is known only when a meeting is started. */
const CHANNELS = {
  callbacks: {
    address: null,
    title: 'Callbacks',
    description: 'The `callbackUrl` of the start request. Each callback is signed.',
  },
  meetingStream: {
    address: '/api/v1/meetings/{meetingId}/events/stream',
    title: 'Events of a meeting as a stream',
    description: STREAM,
    parameters: { meetingId: { description: 'The meeting' } },
  },
  allMeetingsStream: {
    address: '/api/v1/events/stream',
    title: 'Events of all meetings that the key may read, as a stream',
    description: STREAM,
  },
} as const

const component = (...path: string[]) => ({ $ref: `#/components/${path.join('/')}` })

/** Builds the AsyncAPI 3 document of all events from the table of event types. */
export function buildAsyncApiDocument(version: string): object {
  const schemas: NamedSchemas = { CallbackHeaders: describeHeaders() }
  for (const type of EVENT_TYPES) schemas[type] = eventSchema(type, schemas)
  const channels = Object.entries(CHANNELS).map(([name, channel]) => {
    const isCallback = channel.address === null
    return {
      name,
      channel: { ...channel, messages: describeMessages(isCallback) },
      operation: {
        action: 'send',
        title: channel.title,
        channel: { $ref: `#/channels/${name}` },
        bindings: { http: { method: isCallback ? 'POST' : 'GET', bindingVersion: '0.3.0' } },
        security: isCallback ? [] : SCHEMES.map((scheme) => component('securitySchemes', scheme)),
      },
    }
  })
  const { summary: _, ...info } = INFO
  const { apiKey, bearer } = SECURITY_SCHEMES
  return {
    asyncapi: '3.0.0',
    info: { ...info, title: `${INFO.title} events`, version },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(channels.map(({ name, channel }) => [name, channel])),
    operations: Object.fromEntries(channels.map(({ name, operation }) => [name, operation])),
    components: {
      schemas,
      securitySchemes: { apiKey: { ...apiKey, type: 'httpApiKey' }, bearer },
    },
  }
}

const SCHEMES = ['apiKey', 'bearer'] as const satisfies (keyof typeof SECURITY_SCHEMES)[]

function describeMessages(isCallback: boolean): Record<string, object> {
  const headers = isCallback ? { headers: component('schemas', 'CallbackHeaders') } : {}
  const describe = (type: EventType) => ({
    name: type,
    summary: EVENTS[type].about,
    description: describeDelivery(type),
    ...headers,
    payload: component('schemas', type),
  })
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, describe(type)]))
}

function describeHeaders(): object & Record<string, unknown> {
  const headers = Object.entries(CALLBACK_HEADERS)
  return {
    type: 'object',
    required: headers.map(([name]) => name),
    properties: Object.fromEntries(
      headers.map(([name, { description, schema }]) => [name, { ...schema, description }]),
    ),
  }
}
