import type { Db } from '../db/open.ts'
import type { Clock } from '../lib/clock.ts'
import { newOrderedId } from '../lib/random.ts'
import { LISTENER_SCHEME, type Handed } from './listeners.ts'
import { callbackHeaders, type SigningSecrets } from './signature.ts'

/** An event of any meeting; one without a position is not stored. Null: a sign of life. */
type Streamed = { position: string | null; meetingId: string; type: string; body: string } | null

/** What a listener asked for; undefined: all. */
export type Wanted = {
  events: readonly string[] | undefined
  meeting: string | undefined
}

/** A callback that was made for a listener, and where it stands among all events. */
export type Copy = { position: string; callback: Handed }

/**
 * Copies of callbacks for listeners: signed like the originals, and nobody waits for an answer. Captions that
 * still evolve are left out: in a stream they have no number of their own, and a receiver that drops what it
 * has seen by number would take the next event for a repetition.
 */
export interface Taps {
  hasMeeting(meetingId: string): Promise<boolean>
  /** Leaves out meetings that were started for this very listener: those come on their own lane. */
  copies(
    name: string,
    wanted: Wanted,
    position: string,
    signal: AbortSignal,
  ): AsyncGenerator<Copy | null, void, undefined>
}

type Parts = {
  db: Db
  clock: Clock
  secretsOf(tokenId: string): Promise<SigningSecrets | null>
  /** All stored events from a position on, as they come. */
  streamAll(position: string, signal: AbortSignal): AsyncIterable<Streamed>
  timeoutMs: number
}

export function createTaps({ db, clock, secretsOf, streamAll, timeoutMs }: Parts): Taps {
  const copy = async (streamed: NonNullable<Streamed>, name: string): Promise<Handed | null> => {
    const { meetingId, type, body: text } = streamed
    const { sequence } = JSON.parse(text) as { sequence: number }
    const meeting = await findMeeting(db, meetingId, sequence)
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
      return (await findMeeting(db, meetingId, 0)) !== undefined
    },
    async *copies(name, { events, meeting }, position, signal) {
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
function findMeeting(db: Db, meetingId: string, sequence: number) {
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
