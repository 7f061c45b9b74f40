import { createHmac } from 'node:crypto'
import { formatEventBody, type EventContent } from '../../src/meetings/event-types.ts'

export const SECRET = `ss_${'aB3'.repeat(14)}x`
export const NEXT_SECRET = `ss_${'zY9'.repeat(14)}w`
export const MEETING_ID = 'meeting_1794735000000_a1b2c3d4e5f6'
/** The time at which the callbacks of these tests are signed. */
export const SIGNED_AT = Date.parse('2026-11-15T09:30:00.000Z')

const WHEN = '2026-11-15T09:29:58.250Z'

/** One event of each type, with difficult texts: other scripts, quotes, line breaks, dots. */
export const SAMPLE_EVENTS: EventContent[] = [
  { type: 'meeting_status', payload: { status: 'live', previousStatus: 'lobby' } },
  {
    type: 'caption_partial',
    payload: { captionId: 'c1', speaker: 'Ada', text: 'Good mor', timestamp: WHEN },
  },
  {
    type: 'segment_finalized',
    payload: {
      speaker: 'Zoë "会議" 😀',
      text: 'First.\r\nSecond.12.{"type":"x"}',
      timestamp: WHEN,
      segmentNumber: 1,
      captionId: 'c1',
    },
  },
  {
    type: 'participant_joined',
    payload: { participantId: 'p1', name: 'Ada', participantCount: 1, timestamp: WHEN },
  },
  {
    type: 'document_saved',
    payload: { documentPath: 'deployed-md-files/a.md', segmentsWritten: 1, totalSegments: 1 },
  },
]

/** The bytes that the service would send for the event with this index. */
export function sampleBody(index: number): string {
  const event = SAMPLE_EVENTS[index]
  if (event === undefined) throw new Error(`there is no event ${index}`)
  return formatEventBody(MEETING_ID, index + 1, new Date(SIGNED_AT), event)
}

/** Implemented from the description of the header, independent of the receiver folder. */
export function plainSignature(body: string | Uint8Array, key: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
}

export function timedSignature(
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
  key: string | Uint8Array,
): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** All signature headers of a callback; `next` is the next secret during a rotation. */
export function headersFor(body: string, key = SECRET, next?: string): Record<string, string> {
  const { meetingId, sequence } = JSON.parse(body) as { meetingId: string; sequence: number }
  const signed = { id: `${meetingId}_${sequence}`, timestamp: String(SIGNED_AT / 1000), body }
  const keys = next === undefined ? [key] : [key, next]
  return {
    'content-type': 'application/json',
    'x-service-signature': plainSignature(body, key),
    'webhook-id': signed.id,
    'webhook-timestamp': signed.timestamp,
    'webhook-signature': keys.map((one) => timedSignature(signed, one)).join(' '),
  }
}
