import type { Meetings } from '../../../meetings/meetings.ts'
import { EvidenceResponse, ScreenshotParams } from '../../shapes/evidence.ts'
import { MeetingParams } from '../../shapes/meetings.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** A screenshot shows content of a foreign page, so browsers must not run it, frame it or share it with other sites. */
const SCREENSHOT_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Screenshots and page texts of failed joins and unexpected ends. */
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
        summary: 'Page state and screenshots of failed joins and unexpected ends',
        tags,
        params: MeetingParams,
        response: { 200: EvidenceResponse },
      },
    },
    async (request) => {
      const { meetingId } = request.params
      const list = await meetings.evidence(meetingId)
      const screenshotPath = (number: number) =>
        `${surface.prefix}/meetings/${meetingId}/evidence/${number}/screenshot`
      return {
        evidence: list.map(({ hasScreenshot, ...row }) => ({
          ...row,
          screenshot: hasScreenshot ? screenshotPath(row.number) : null,
        })),
      }
    },
  )

  app.get(
    `${surface.prefix}/meetings/:meetingId/evidence/:number/screenshot`,
    {
      config: { ...surface.read, produces: 'image/jpeg' },
      schema: { summary: 'One screenshot (JPEG)', tags, params: ScreenshotParams },
    },
    async (request, reply) => {
      const { meetingId, number } = request.params
      const screenshot = await meetings.screenshot(meetingId, Number(number))
      return reply.type('image/jpeg').headers(SCREENSHOT_HEADERS).send(screenshot)
    },
  )
}
