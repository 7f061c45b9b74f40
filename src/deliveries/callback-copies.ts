import { allowsProject } from '../access/project-condition.ts'
import { readTokenViewer } from '../access/stored-viewer.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { newOrderedId } from '../lib/crypto.ts'
import { memoizeAsyncForLimitedTime } from '../lib/memoize.ts'
import type { Clock } from '../lib/time/clock.ts'
import { LISTENER_SCHEME, type CallbackForListener, type ListenerStream } from './listeners.ts'
import { callbackHeaders, withoutSignatures, type CallbackSecrets } from './signature.ts'

/** An event of any meeting. An event without a position is not stored. Null is a keep-alive signal. */
type SourceEvent = { position: string | null; meetingId: string; type: string; body: string } | null

/** The event types and the meeting that a listener wants; undefined means all. */
export type CallbackCopyFilter = {
  events: readonly string[] | undefined
  meeting: string | undefined
}

type CopyReceiver = { name: string } & Pick<ListenerStream, 'mayAnswer'>

/** A callback for a listener, with its position in the stream of all events. */
export type CallbackCopy = { position: string; callback: CallbackForListener }

type Parts = {
  db: Db
  clock: Clock
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  /** Streams all stored events after a position that the viewer may read, then new events as they are stored. */
  streamAll(
    getViewer: () => Viewer,
    position: string,
    signal: AbortSignal,
  ): AsyncIterable<SourceEvent>
  timeoutMs: number
}

/** The caller who opened the stream of a listener. `tokenId` is null for a person who signed in. */
export type ListenerCaller = { viewer: Viewer; tokenId: string | null }

/** How long a stream may reuse an answer instead of asking before every callback. */
const CACHE = { maxEntries: 1_000, ttlMs: 1_000 }

/**
 * Streams copies of callbacks to listeners without waiting for answers, signed if the caller may edit the meeting.
 * Partial captions are left out: they have no unique sequence here, and a receiver that removes duplicates by sequence
 * would drop the next real event.
 */
export function createCallbackCopyStreamer({ db, clock, secretsOf, streamAll, timeoutMs }: Parts) {
  const copy = async (
    source: NonNullable<SourceEvent>,
    viewer: Viewer,
    listener: CopyReceiver,
  ): Promise<CallbackForListener | null> => {
    const { meetingId, type, body: text } = source
    const { sequence } = JSON.parse(text) as { sequence: number }
    const meeting = await findMeetingCallback(db, viewer, meetingId, sequence)
    if (meeting === undefined) return null
    const isReceiver = meeting.callback_url === `${LISTENER_SCHEME}${listener.name}`
    if (isReceiver && (await listener.mayAnswer(meetingId))) return null
    const secrets = await secretsOf(meeting.token_id ?? '')
    // The copy can't be signed without the token. The original callback is not sent either.
    if (secrets === null) return null
    const now = clock.now()
    const deliveryId = newOrderedId('dlv', now)
    const previousSequence = meeting.previous ?? 0
    const event = { meetingId, sequence, previousSequence, type, body: Buffer.from(text) }
    const signed = callbackHeaders(event, secrets, deliveryId, now)
    const headers = meeting.isEditable ? signed : withoutSignatures(signed)
    return { deliveryId, headers, body: text, timeoutMs }
  }

  return {
    async hasMeeting(meetingId: string): Promise<boolean> {
      const meeting = db.selectFrom('meeting').select('id').where('id', '=', meetingId)
      return (await meeting.executeTakeFirst()) !== undefined
    },
    /** Skips meetings whose callbacks already go to this listener through a lane. */
    async *stream(
      getViewer: () => Viewer,
      listener: CopyReceiver,
      { events, meeting }: CallbackCopyFilter,
      position: string,
      signal: AbortSignal,
    ) {
      for await (const source of streamAll(getViewer, position, signal)) {
        if (source === null) yield null
        if (source === null || source.position === null) continue
        if (meeting !== undefined && source.meetingId !== meeting) continue
        if (events !== undefined && !events.includes(source.type)) continue
        const callback = await copy(source, getViewer(), listener)
        if (callback !== null) yield { position: source.position, callback }
      }
    },
  }
}

export type CallbackCopyStreamer = ReturnType<typeof createCallbackCopyStreamer>

/** Finds the callback URL and token of a meeting, and the sequence of the stored event before the given one. */
function findMeetingCallback(db: Db, viewer: Viewer, meetingId: string, sequence: number) {
  return db
    .selectFrom('meeting')
    .select(['callback_url', 'token_id'])
    .select(allowsProject(viewer, 'edit', 'meeting.project').as('isEditable'))
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

/**
 * Decides which callbacks a listener may answer: those of meetings that its person or token started, while the caller
 * may edit their project. The caller's rights can change while the stream is open.
 */
export function createAnswerAccess(
  db: Db,
  getCaller: () => ListenerCaller,
): Pick<ListenerStream, 'mayAnswer' | 'ownsToken'> {
  const ownsToken = async (tokenId: string) =>
    isOwner(getCaller(), tokenId, await readTokenViewer(db, tokenId))
  return {
    ownsToken,
    mayAnswer: memoizeAsyncForLimitedTime(async (meetingId) => {
      const meeting = await db
        .selectFrom('meeting')
        .select('token_id as tokenId')
        .where('id', '=', meetingId)
        .where(allowsProject(getCaller().viewer, 'edit', 'meeting.project'))
        .executeTakeFirst()
      return meeting !== undefined && meeting.tokenId !== null && ownsToken(meeting.tokenId)
    }, CACHE),
  }
}

/** Signed-in admins own the service tokens, because only they manage them. Their listener is the console's inbox. */
function isOwner(caller: ListenerCaller, tokenId: string, token: Viewer | null): boolean {
  const { viewer } = caller
  if (token === null) return false
  if (token.kind === 'user') return viewer.kind === 'user' && viewer.userId === token.userId
  const isAdminInConsole =
    caller.tokenId === null && viewer.kind === 'user' && viewer.role === 'admin'
  return caller.tokenId === tokenId || isAdminInConsole
}
