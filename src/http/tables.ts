import type { Immutable } from '../db/schema.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A stored response for requests that repeat an Idempotency-Key. `status` is null while the first request runs. */
    idempotent_request: {
      token_id: Immutable<string>
      key: Immutable<string>
      fingerprint: Immutable<Buffer>
      /** Increases with each claim, so that a request with an expired claim can't store its response. */
      fence: number
      claimed_until: Date
      status: number | null
      body: string | null
      created_at: Immutable<Date>
    }
    /** Number of requests per scope, minute and node. Nodes add them up to enforce one shared rate limit. */
    request_count: {
      scope: Immutable<string>
      minute: Immutable<Date>
      node_id: Immutable<string>
      count: number
    }
  }
}
