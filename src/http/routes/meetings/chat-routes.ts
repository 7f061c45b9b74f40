import type { Meetings } from '../../../meetings/meetings.ts'
import { ChatQuery, ChatResponse, DEFAULT_CHAT_LIMIT } from '../../shapes/meetings/chat.ts'
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/route-subjects.ts'
import type { FastifyApp } from '../../fastify-app.ts'

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
