import type { Meetings } from '../../../meetings/meetings.ts'
import { EvidenceResponse, ScreenshotParams } from '../../shapes/evidence.ts'
import { MeetingParams } from '../../shapes/meetings.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** A picture that a strange page may have painted: looked at, never run, framed or read by another site. */
const SCREENSHOT_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** What the pages of a meeting looked like when something went wrong. */
export function evidenceRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { meetings }: { meetings: Meetings },
): void {
  const tags = ['Meetings']

  app.get(
    `${surface.prefix}/meetings/:meetingId/evidence`,
    {
      config: surface.read,
      schema: {
        summary: 'What the page looked like at a failed join or an unexpected end',
        tags,
        params: MeetingParams,
        response: { 200: EvidenceResponse },
      },
    },
    async (request) => {
      const { meetingId } = request.params
      const list = await meetings.evidence(meetingId)
      const path = (number: number) =>
        `${surface.prefix}/meetings/${meetingId}/evidence/${number}/screenshot`
      return {
        evidence: list.map(({ hasScreenshot, ...row }) => ({
          ...row,
          screenshot: hasScreenshot ? path(row.number) : null,
        })),
      }
    },
  )

  app.get(
    `${surface.prefix}/meetings/:meetingId/evidence/:number/screenshot`,
    {
      config: { ...surface.read, produces: 'image/jpeg' },
      schema: { summary: 'One screenshot, a JPEG', tags, params: ScreenshotParams },
    },
    async (request, reply) => {
      const { meetingId, number } = request.params
      const picture = await meetings.screenshot(meetingId, Number(number))
      return reply.type('image/jpeg').headers(SCREENSHOT_HEADERS).send(picture)
    },
  )
}
