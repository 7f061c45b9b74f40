import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { iterateInSlices } from '../../../lib/async/map-in-slices.ts'
import type { Meetings } from '../../../meetings/meetings.ts'
import { TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION } from '../../../meetings/transcript/formats.ts'
import { formatContentDisposition } from '../../../projects/files/file-names.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { ChatQuery, ChatResponse, DEFAULT_CHAT_LIMIT } from '../../shapes/meetings/chat.ts'
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'
import { streamTranscriptJson } from '../../shapes/meetings/meeting-mapping.ts'
import {
  TranscriptQuery,
  TranscriptSegmentRangeQuery,
  TranscriptResponse,
  TranscriptTextParams,
} from '../../shapes/meetings/transcript.ts'

const tags = ['Meetings']
const TEXT_TYPES = Object.values(TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION).map(
  ({ contentType }) => contentType.split(';', 1)[0] ?? contentType,
)

/** Transcripts of running and ended meetings. */
export function transcriptRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { meetings }: { meetings: Meetings },
): void {
  jsonTranscriptRoute(app, surface, meetings)
  textTranscriptRoutes(app, surface, meetings)
}

function jsonTranscriptRoute(app: FastifyApp, surface: ApiSurface, meetings: Meetings): void {
  app.get(
    `${surface.prefix}/meetings/:meetingId/transcript`,
    {
      config: {
        ...surface.read,
        subject: MEETING_SUBJECT.read,
        alsoProduces: TEXT_TYPES,
        errorCodes: ['meeting_not_found'],
      },
      schema: {
        summary: 'The transcript of a running or ended meeting',
        description:
          'Its final segments. Generated clients that expect JSON get the other formats from `/transcript/{format}`.',
        tags,
        params: MeetingParams,
        querystring: TranscriptQuery,
        response: { 200: TranscriptResponse },
      },
    },
    async (request, reply) => {
      const { format = 'json', ...from } = request.query
      const transcript = await meetings.transcript(request.params.meetingId, from)
      if (format !== 'json') return sendTranscriptText(reply, format, transcript) as never
      // Fastify does not encode a stream with the schema, so the transcript is encoded here.
      const json = Readable.from(iterateInSlices(streamTranscriptJson(transcript)))
      return reply.type('application/json; charset=utf-8').send(json as never)
    },
  )
}

function textTranscriptRoutes(app: FastifyApp, surface: ApiSurface, meetings: Meetings): void {
  const [produces, ...alsoProduces] = TEXT_TYPES
  app.get(
    `${surface.prefix}/meetings/:meetingId/transcript/:format`,
    {
      config: {
        ...surface.read,
        subject: MEETING_SUBJECT.read,
        ...(produces !== undefined && { produces }),
        alsoProduces,
        errorCodes: ['meeting_not_found'],
      },
      schema: {
        summary: 'The transcript of a running or ended meeting as text',
        description: 'The same as `/transcript` with the query parameter `format`.',
        tags,
        params: TranscriptTextParams,
        querystring: TranscriptSegmentRangeQuery,
      },
    },
    async (request, reply) => {
      const { meetingId, format } = request.params
      return sendTranscriptText(reply, format, await meetings.transcript(meetingId, request.query))
    },
  )

  app.get(
    `${surface.prefix}/meetings/:meetingId/document`,
    {
      config: {
        ...surface.read,
        subject: MEETING_SUBJECT.read,
        produces: 'text/markdown',
        responseHeaders: ['Content-Disposition'],
        errorCodes: ['meeting_not_found', 'document_not_saved'],
      },
      schema: {
        summary: 'Download the saved markdown document',
        description: 'There is none when the meeting was started with `saveTranscript: false`.',
        tags,
        params: MeetingParams,
      },
    },
    async (request, reply) => {
      const { fileName, content } = await meetings.document(request.params.meetingId)
      return reply
        .type('text/markdown; charset=utf-8')
        .header('content-disposition', formatContentDisposition(fileName))
        .send(content)
    },
  )
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
  app.get(
    `${surface.prefix}/meetings/:meetingId/chat`,
    {
      config: {
        ...surface.read,
        subject: MEETING_SUBJECT.read,
        errorCodes: ['meeting_not_found'],
      },
      schema: {
        summary: 'The chat messages of a meeting',
        description:
          'Only of meetings that were started with `chat.store`. Messages written while the record was paused are not stored.',
        tags: ['Meetings'],
        params: MeetingParams,
        querystring: ChatQuery,
        response: { 200: ChatResponse },
      },
    },
    async (request) => {
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
  )
}
