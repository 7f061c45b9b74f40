import type { SessionEnd } from '../page-session.ts'

/**
 * A task that runs repeatedly during the call and takes one small step each time. A returned end ends the session.
 */
export type RepeatedInCallStep = () => Promise<SessionEnd | null>
