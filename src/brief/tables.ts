import type { Immutable } from '../db/schema.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A brief that was made for a reader, so that no other node makes it again. Deleted after the meeting. */
    brief_claim: {
      /** `task:` or `user:` with the id. */
      reader: Immutable<string>
      /** Identifies the meeting, and stays the same when it is moved. */
      key: Immutable<string>
      /** The start of the meeting when the brief was made. */
      starts_at: Immutable<Date>
    }
  }
}
