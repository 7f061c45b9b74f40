import type { Immutable } from '../../db/schema.ts'

declare module '../../db/schema.ts' {
  interface Database {
    /** A stream that Zoom announced with a webhook. It has no content of the meeting. */
    zoom_stream: {
      stream_id: Immutable<string>
      meeting_uuid: string
      /** Null if the webhook did not name it. Such a stream matches no link. */
      meeting_number: string | null
      /** Null until Zoom announced the start, because webhooks can arrive in another order. */
      server_url: string | null
      /** Zoom's time of the newest webhook, in milliseconds. An older one changes nothing. */
      event_at: string | number
      has_stopped: boolean
      /** Zoom's number. Null while the stream runs, and if Zoom no longer knew the stream. */
      stop_reason: number | null
      /** The meeting whose bots read the stream. */
      reserved_by: string | null
      reserved_at: Date | null
      changed_at: Date
    }
    /** An organization on Zoom that sent a webhook. */
    zoom_account: {
      account_id: Immutable<string>
      event_at: string | number
      is_installed: boolean
    }
  }
}
