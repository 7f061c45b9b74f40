import type { Immutable } from './column.ts'

/** A stored response for requests that repeat an Idempotency-Key. `status` is null while the first request is running. */
export interface IdempotentRequestTableColumns {
  token_id: Immutable<string>
  key: Immutable<string>
  fingerprint: Immutable<Buffer>
  /** Increases with each claim, so that a request whose claim has expired cannot store its response. */
  fence: number
  claimed_until: Date
  status: number | null
  body: string | null
  created_at: Immutable<Date>
}

/** Number of requests per scope, minute and node; nodes add them up to enforce one shared rate limit. */
export interface RequestCountTableColumns {
  scope: Immutable<string>
  minute: Immutable<Date>
  node_id: Immutable<string>
  count: number
}
