import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { newOrderedId } from '../../lib/crypto/random.ts'
import { LISTENER_SCHEME, type ListenedCallback } from './listeners.ts'
import { callbackHeaders, type CallbackSecrets } from '../signature.ts'

/** An event of any meeting; one without a position is not stored. Null: a sign of life. */
type SourceEvent = { position: string | null; meetingId: string; type: string; body: string } | null

/** What a listener asked for; undefined: all. */
export type CopyFilter = {
  events: readonly string[] | undefined
  meeting: string | undefined
}

/** A callback that was made for a listener, and where it stands among all events. */
export type CallbackCopy = { position: string; callback: ListenedCallback }

/**
 * Copies of callbacks for listeners: signed like the originals, and nobody waits for an answer. Captions that
 * still evolve are left out: in a stream they have no number of their own, and a receiver that drops what it
 * has seen by number would take the next event for a repetition.
 */
export interface CallbackCopies {
  hasMeeting(meetingId: string): Promise<boolean>
  /** Leaves out meetings that were started for this very listener: those come on their own lane. */
  stream(
    name: string,
    wanted: CopyFilter,
    position: string,
    signal: AbortSignal,
  ): AsyncGenerator<CallbackCopy | null, void, undefined>
}

type Parts = {
  db: Db
  clock: Clock
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  /** All stored events from a position on, as they come. */
  streamAll(position: string, signal: AbortSignal): AsyncIterable<SourceEvent>
  timeoutMs: number
}

export function createCallbackCopies({
  db,
  clock,
  secretsOf,
  streamAll,
  timeoutMs,
}: Parts): CallbackCopies {
  const copy = async (
    streamed: NonNullable<SourceEvent>,
    name: string,
  ): Promise<ListenedCallback | null> => {
    const { meetingId, type, body: text } = streamed
    const { sequence } = JSON.parse(text) as { sequence: number }
    const meeting = await findMeetingCallback(db, meetingId, sequence)
    if (meeting === undefined || meeting.callback_url === `${LISTENER_SCHEME}${name}`) return null
    const secrets = await secretsOf(meeting.token_id ?? '')
    // Without its token nothing can be signed, and the original is not sent either.
    if (secrets === null) return null
    const now = clock.now()
    const deliveryId = newOrderedId('dlv', now)
    const previousSequence = meeting.previous ?? 0
    const event = { meetingId, sequence, previousSequence, type, body: Buffer.from(text) }
    const headers = callbackHeaders(event, secrets, deliveryId, now)
    return { deliveryId, headers, body: text, timeoutMs }
  }

  return {
    async hasMeeting(meetingId) {
      return (await findMeetingCallback(db, meetingId, 0)) !== undefined
    },
    async *stream(name, { events, meeting }, position, signal) {
      for await (const streamed of streamAll(position, signal)) {
        if (streamed === null) yield null
        if (streamed === null || streamed.position === null) continue
        if (meeting !== undefined && streamed.meetingId !== meeting) continue
        if (events !== undefined && !events.includes(streamed.type)) continue
        const callback = await copy(streamed, name)
        if (callback !== null) yield { position: streamed.position, callback }
      }
    },
  }
}

/** With the sequence of the stored event before the given one. */
function findMeetingCallback(db: Db, meetingId: string, sequence: number) {
  return db
    .selectFrom('meeting')
    .select(['callback_url', 'token_id'])
    .select((query) =>
      query
        .selectFrom('event')
        .select(({ fn }) => fn.max('sequence').as('sequence'))
        .where('meeting_id', '=', meetingId)
        .where('sequence', '<', sequence)
        .as('previous'),
    )
    .where('id', '=', meetingId)
    .executeTakeFirst()
}
