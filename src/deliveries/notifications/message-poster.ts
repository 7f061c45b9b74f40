import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { Tracer } from '../../lib/tracer.ts'
import type { SignedPostOptions } from '../signature.ts'
import { setPostResult } from '../traced-transport.ts'
import type { CallbackTransport } from '../transport.ts'
import { formatMessage } from './formats.ts'
import { outlineMessage } from './message-outline.ts'
import { urlLabel, type NotificationFormat, type NotificationMessage } from './notification.ts'

type Parts = {
  db: Db
  tracer: Tracer
  secretBox: SecretBox
  transport: CallbackTransport
  publicUrl: string
}

type Receiver = { id: string; format: NotificationFormat; urlSealed: Buffer }

/** Makes the request of a message when it is sent, and sends it to the webhook of its notification. */
export function createMessagePoster({ db, tracer, secretBox, transport, publicUrl }: Parts) {
  const send = (
    { id, format, urlSealed }: Receiver,
    message: NotificationMessage,
    { timeoutMs, isFailing, connection, signal, onStatus }: SignedPostOptions,
  ) => {
    const request = {
      url: secretBox.open(urlSealed, urlLabel(id)),
      tokenId: id,
      headers: { 'content-type': 'application/json', 'user-agent': 'Hansard' },
      body: Buffer.from(formatMessage(format, outlineMessage(message, publicUrl))),
      timeoutMs,
      pool: isFailing ? ('failing' as const) : ('healthy' as const),
      connection,
      ...(onStatus !== undefined && { onStatus }),
    }
    return transport.post(request, signal)
  }
  const selectReceiver = db
    .selectFrom('notification as n')
    .select(['n.id', 'n.format', 'n.url_sealed as urlSealed'])
  return {
    /** Sends a stored message. Null if it must no longer be sent: it was removed, or its meeting left the project. */
    async post(id: string, sequence: number, options: SignedPostOptions) {
      const row = await selectReceiver
        .innerJoin('notification_message as e', 'e.notification_id', 'n.id')
        .leftJoin('meeting as m', 'm.id', 'e.meeting_id')
        .select(['e.body', 'e.type', 'e.meeting_id as meetingId', 'e.trace_parent as parent'])
        .where('n.id', '=', id)
        .where('e.sequence', '=', sequence)
        // A meeting may have been moved to a project whose people the chat is not for.
        .where(sql<boolean>`(e.meeting_id is null or m.project = n.project)`)
        .executeTakeFirst()
      if (row === undefined) return null
      const { format, type, meetingId, parent } = row
      const attributes = {
        'http.request.method': 'POST',
        'hansard.notification.format': format,
        'hansard.notification.topic': type,
        'hansard.meeting.id': meetingId ?? undefined,
      }
      // A chat continues no trace, so it gets no `traceparent`.
      return tracer.run('deliver message', { kind: 'client', parent, attributes }, async (span) => {
        const result = await send(row, JSON.parse(row.body) as NotificationMessage, options)
        setPostResult(span, result)
        return result
      })
    },
    /** Sends a message that is not stored. Null if the notification was removed. */
    async postMessage(id: string, message: NotificationMessage, options: SignedPostOptions) {
      const row = await selectReceiver.where('n.id', '=', id).executeTakeFirst()
      return row === undefined ? null : send(row, message, options)
    },
  }
}

export type MessagePoster = ReturnType<typeof createMessagePoster>
