import type { SessionEnd } from '../page-session/page-session.ts'
import type { PlatformEndReason } from '../platform.ts'

type Row = { because: PlatformEndReason; detail: string }

/** Reasons of LiveKit, by their numbers, after which the bot does not join again. */
const FINAL_REASONS: Readonly<Record<number, Row>> = {
  2: {
    because: 'removed',
    detail: 'Another participant joined the room with the identity of the bot',
  },
  4: { because: 'removed', detail: 'The bot was removed from the room' },
  5: { because: 'host_ended', detail: 'The room was closed for all participants' },
  10: {
    because: 'everyone_left',
    detail: 'LiveKit closed the room, because the bot was alone in it',
  },
}
/** Reasons after which the bot joins again. */
const WORDS: Readonly<Record<number, string>> = {
  3: 'The server is shutting down',
  6: 'The server does not know the bot any longer',
  7: 'The server could not let the bot join. The room may be full',
  8: 'The server moves the room to another machine',
  14: 'The server did not receive the connection for sound',
  15: 'The connection for sound broke',
}

/** How the session ends after the server told the bot to leave with this reason. */
export function describeDisconnect(reason: number): SessionEnd {
  const final = FINAL_REASONS[reason]
  if (final !== undefined) return { kind: 'over', ...final }
  return {
    kind: 'again',
    why: WORDS[reason] ?? `The server told the bot to leave (reason ${reason})`,
  }
}

/** LiveKit ends a session in which the connection for sound never opened. */
export function isAboutSound(reason: number): boolean {
  return reason === 7 || reason === 14 || reason === 15
}
