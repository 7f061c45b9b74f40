import { createHmac } from 'node:crypto'

export const WEBHOOK_SECRET = 'test-webhook-secret'

/** The settings of a service with a Zoom app. */
export const ZOOM_SETTINGS = {
  HANSARD_ZOOM_CLIENT_ID: 'test-client',
  HANSARD_ZOOM_CLIENT_SECRET: 'test-client-secret',
  HANSARD_ZOOM_WEBHOOK_SECRET: WEBHOOK_SECRET,
}

type Signing = { secret?: string; at?: Date; signature?: string; timestamp?: string }

type StreamFields = {
  streamId: string
  meetingUuid: string
  number?: number | string
  serverUrl: string
  at?: number
}

export function startedEvent(given: StreamFields): Record<string, unknown> {
  const { streamId, meetingUuid, number, serverUrl, at = Date.now() } = given
  return {
    event: 'meeting.rtms_started',
    event_ts: at,
    payload: {
      account_id: 'account-1',
      meeting_uuid: meetingUuid,
      meeting_id: number,
      rtms_stream_id: streamId,
      server_urls: serverUrl,
      is_original_host: true,
    },
  }
}

export function stoppedEvent(
  { streamId, meetingUuid }: Pick<StreamFields, 'streamId' | 'meetingUuid'>,
  reason: number,
  at = Date.now(),
): Record<string, unknown> {
  return {
    event: 'meeting.rtms_stopped',
    event_ts: at,
    payload: { meeting_uuid: meetingUuid, rtms_stream_id: streamId, stop_reason: reason },
  }
}

/** Sends a webhook as Zoom does, with its signature over the exact bytes. */
export async function sendWebhook(
  origin: string,
  body: unknown,
  { secret = WEBHOOK_SECRET, at = new Date(), ...given }: Signing = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const timestamp = given.timestamp ?? String(Math.floor(at.getTime() / 1_000))
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${text}`).digest('hex')
  const response = await fetch(`${origin}/hooks/zoom`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-zm-request-timestamp': timestamp,
      'x-zm-signature': given.signature ?? `v0=${hash}`,
    },
    body: text,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Looks for streams often and connects again at once, so that no test waits for time. */
export const FAST_TIMEOUTS = { pollMs: 20, firstRetryMs: 5, longestRetryMs: 50, lastWordsMs: 50 }
