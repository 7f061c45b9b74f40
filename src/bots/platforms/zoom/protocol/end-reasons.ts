import type { PlatformEndReason } from '../../platform.ts'

/**
 * How a stream ended for the bot. `over`: so has the visit. `gone`: the stream is over for a technical reason, and
 * Zoom may start another one for the same meeting.
 */
export type StreamEnd =
  | { kind: 'over'; because: PlatformEndReason; detail: string }
  | { kind: 'gone'; why: string }

/** RTMS_STOP_REASON of Zoom's data types. */
const STOP_REASONS: Readonly<Record<number, StreamEnd>> = {
  1: over('stream_ended_by_host', 'The host stopped the stream of the Zoom app'),
  2: over('stream_ended_by_host', 'The person who started the stream stopped it'),
  3: over('stream_ended_by_host', 'The person who started the stream left the meeting'),
  4: over('stream_ended_by_host', 'The host removed the person who started the stream'),
  5: over('stream_not_allowed', 'The host turned the Zoom app off in this meeting'),
  6: over('host_ended', 'The meeting ended'),
  7: over('stream_ended_by_host', 'A participant asked that the stream end'),
  8: over(
    'stream_revoked',
    'Zoom withdrew the stream and asks that its content be deleted. Delete this meeting',
  ),
  9: over('stream_not_allowed', 'The host turned all apps off in this meeting'),
  10: gone('an internal error of Zoom'),
  11: gone('the connection timed out'),
  12: gone('the connection between Zoom and the meeting was lost'),
  13: gone('the signalling connection was lost'),
  14: gone('the media connection was lost'),
  15: gone('the signalling connection was closed'),
  16: gone('the media connection was closed'),
  17: gone('Zoom shut the server down'),
  18: over('credentials_rejected', 'Zoom did not accept the credentials of the Zoom app'),
  19: gone('Zoom waited too long for a new connection'),
  20: gone('the stream was closed by its receiver'),
  23: over('stream_not_allowed', 'An administrator turned the Zoom app off'),
  24: gone('keep-alive messages were not answered'),
  26: over('stream_not_allowed', 'Zoom does not support streams here'),
}

export function describeStop(reason: number | null | undefined): StreamEnd {
  if (reason === null) return gone('Zoom no longer has the stream')
  return (
    STOP_REASONS[reason ?? 0] ??
    over(
      'stream_ended_by_host',
      reason === undefined || reason === 0
        ? 'Zoom ended the stream without a reason'
        : `Zoom ended the stream with the reason ${reason}`,
    )
  )
}

/** What a failed handshake means. `again`: another attempt may succeed. */
export type Refusal = StreamEnd | { kind: 'again'; why: string }

/** The app may not read transcripts. */
export const NO_TRANSCRIPT_STATUS = 12

/** RTMS_STATUS_CODE of Zoom's data types. */
const STATUS_CODES: Readonly<Record<number, Refusal>> = {
  2: gone('Zoom no longer has the stream'),
  3: over(
    'credentials_rejected',
    'Zoom did not accept the signature. Check HANSARD_ZOOM_CLIENT_ID and HANSARD_ZOOM_CLIENT_SECRET',
  ),
  // After a failover, Zoom may still have the connection of the node that died.
  8: again('another connection reads the stream'),
  [NO_TRANSCRIPT_STATUS]: over(
    'stream_not_allowed',
    'The Zoom app may not read transcripts. Add the scope for transcripts to it',
  ),
  15: again('another connection reads the stream'),
  16: again('another connection reads the stream'),
  45: again('Zoom had an internal error'),
}

export function describeRefusal(status: number, reason: string | undefined): Refusal {
  const text = reason?.trim() ? ` (${reason.trim()})` : ''
  return (
    STATUS_CODES[status] ??
    over('stream_failed', `Zoom refused the connection with the status ${status}${text}`)
  )
}

function over(because: PlatformEndReason, detail: string): StreamEnd {
  return { kind: 'over', because, detail }
}

function gone(why: string): StreamEnd {
  return { kind: 'gone', why }
}

function again(why: string): Refusal {
  return { kind: 'again', why }
}
