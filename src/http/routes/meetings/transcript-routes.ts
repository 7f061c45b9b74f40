import { Readable } from 'node:stream'
import type { Meetings } from '../../../meetings/meetings.ts'
import { TRANSCRIPT_FORMATS_BY_EXTENSION } from '../../../meetings/transcript/formats.ts'
import { formatContentDisposition } from '../../../projects/files/file-names.ts'
import { streamTranscriptJson } from '../../shapes/meeting-mapping.ts'
import { MeetingParams, TranscriptResponse, TranscriptQuery } from '../../shapes/meetings.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import type { FastifyApp } from '../../fastify-app.ts'

const OTHER_TYPES = Object.values(TRANSCRIPT_FORMATS_BY_EXTENSION).map(
  ({ contentType }) => contentType.split(';', 1)[0] ?? contentType,
)

/** Transcripts of running and ended meetings. */
export function transcriptRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { meetings }: { meetings: Meetings },
): void {
  const tags = ['Meetings']

  app.get(
    `${surface.prefix}/meetings/:meetingId/transcript`,
    {
      config: { ...surface.read, alsoProduces: OTHER_TYPES },
      schema: {
        summary: 'The transcript of a running or ended meeting',
        tags,
        params: MeetingParams,
        querystring: TranscriptQuery,
        response: { 200: TranscriptResponse },
      },
    },
    async (request, reply) => {
      const { format = 'json', ...from } = request.query
      const transcript = await meetings.transcript(request.params.meetingId, from)
      // Fastify does not encode a stream by the schema, so the transcript is encoded here.
      if (format === 'json') {
        const json = Readable.from(streamTranscriptJson(transcript))
        return reply.type('application/json; charset=utf-8').send(json as never)
      }
      const { contentType, write } = TRANSCRIPT_FORMATS_BY_EXTENSION[format]
      return reply.type(contentType).send(Readable.from(write(transcript.source)) as never)
    },
  )

  app.get(
    `${surface.prefix}/meetings/:meetingId/document`,
    {
      config: { ...surface.read, produces: 'text/markdown', errorCodes: ['document_not_saved'] },
      schema: { summary: 'Download the saved markdown document', tags, params: MeetingParams },
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
