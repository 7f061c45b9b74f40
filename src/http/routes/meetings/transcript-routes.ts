import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { iterateInSlices } from '../../../lib/async/map-in-slices.ts'
import type { Meetings } from '../../../meetings/meetings.ts'
import { TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION } from '../../../meetings/transcript/formats.ts'
import { formatContentDisposition } from '../../../projects/files/file-names.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { ChatQuery, ChatResponse, DEFAULT_CHAT_LIMIT } from '../../shapes/meetings/chat.ts'
import { streamTranscriptJson } from '../../shapes/meetings/meeting-mapping.ts'
import {
  TranscriptQuery,
  TranscriptSegmentRangeQuery,
  TranscriptResponse,
} from '../../shapes/meetings/transcript.ts'

const TEXT_TYPES = Object.values(TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION).map(
  ({ contentType }) => contentType.split(';', 1)[0] ?? contentType,
)

/** Transcripts of running and ended meetings. */
export function transcriptRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { meetings }: { meetings: Meetings },
): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.get('/meetings/:meetingId/transcript', {
    subject: MEETING_SUBJECT.read,
    alsoProduces: TEXT_TYPES,
    summary: 'The transcript of a running or ended meeting',
    description:
      'Its final segments. Generated clients that expect JSON get the other formats from `/transcript/{format}`.',
    query: TranscriptQuery,
    response: TranscriptResponse,
    handler: async (request, reply) => {
      const { format = 'json', ...from } = request.query
      const transcript = await meetings.transcript(request.params.meetingId, from)
      if (format !== 'json') return sendTranscriptText(reply, format, transcript) as never
      // Fastify does not encode a stream with the schema, so the transcript is encoded here.
      const json = Readable.from(iterateInSlices(streamTranscriptJson(transcript)))
      return reply.type('application/json; charset=utf-8').send(json)
    },
  })

  const [produces, ...alsoProduces] = TEXT_TYPES
  routes.get('/meetings/:meetingId/transcript/:format', {
    subject: MEETING_SUBJECT.read,
    ...(produces !== undefined && { produces }),
    alsoProduces,
    summary: 'The transcript of a running or ended meeting as text',
    description: 'The same as `/transcript` with the query parameter `format`.',
    query: TranscriptSegmentRangeQuery,
    handler: async (request, reply) => {
      const { meetingId, format } = request.params
      return sendTranscriptText(reply, format, await meetings.transcript(meetingId, request.query))
    },
  })

  routes.get('/meetings/:meetingId/document', {
    subject: MEETING_SUBJECT.read,
    produces: 'text/markdown',
    responseHeaders: ['Content-Disposition'],
    errorCodes: ['document_not_saved'],
    summary: 'Download the saved markdown document',
    description: 'There is none when the meeting was started with `saveTranscript: false`.',
    handler: async (request, reply) => {
      const { fileName, content } = await meetings.document(request.params.meetingId)
      return reply
        .type('text/markdown; charset=utf-8')
        .header('content-disposition', formatContentDisposition(fileName))
        .send(content)
    },
  })
}

function sendTranscriptText(
  reply: FastifyReply,
  format: keyof typeof TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION,
  { meeting, source }: Awaited<ReturnType<Meetings['transcript']>>,
): FastifyReply {
  const { contentType, write } = TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION[format]
  return reply.type(contentType).send(Readable.from(iterateInSlices(write(source, meeting.id))))
}

/** The stored chat of running and ended meetings. */
export function chatRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { meetings }: { meetings: Meetings },
): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.get('/meetings/:meetingId/chat', {
    subject: MEETING_SUBJECT.read,
    summary: 'The chat messages of a meeting',
    description:
      'Only of meetings that were started with `chat.store`. Messages written while the record was paused are not stored.',
    query: ChatQuery,
    response: ChatResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      const { after = 0, limit = DEFAULT_CHAT_LIMIT } = request.query
      const range = { after, limit: Math.min(limit, DEFAULT_CHAT_LIMIT) }
      const { messages, ...page } = await meetings.chat(meetingId, range)
      return {
        meetingId,
        ...page,
        messages: messages.map(({ number, author, text, at }) => ({
          messageNumber: number,
          author,
          text,
          timestamp: at,
        })),
      }
    },
  })
}
