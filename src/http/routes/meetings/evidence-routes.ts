import type { Meetings } from '../../../meetings/meetings.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { EvidenceResponse } from '../../shapes/meetings/evidence.ts'

/** A screenshot shows another site's page, so browsers must not run it, frame it or share it with other sites. */
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
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.get('/meetings/:meetingId/evidence', {
    subject: MEETING_SUBJECT.read,
    summary: 'Page state and screenshots of failed joins and unexpected ends',
    description: 'Oldest first, the newest ten pieces; kept for a week by default.',
    response: EvidenceResponse,
    handler: async (request) => {
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
  })

  routes.get('/meetings/:meetingId/evidence/:number/screenshot', {
    subject: MEETING_SUBJECT.read,
    produces: 'image/jpeg',
    alsoProduces: ['application/octet-stream'],
    errorCodes: ['evidence_not_found'],
    summary: 'One screenshot (JPEG)',
    description:
      'The page of the bot. `Accept: application/octet-stream` changes the media type, not the bytes.',
    handler: async (request, reply) => {
      const { meetingId, number } = request.params
      const screenshot = await meetings.screenshot(meetingId, Number(number))
      return reply
        .type(screenshotType(request.headers.accept))
        .headers(SCREENSHOT_HEADERS)
        .send(screenshot)
    },
  })
}

/** Some generated clients can only request bytes, not an image. */
function screenshotType(accept = ''): string {
  return /^application\/octet-stream\b/i.test(accept) ? 'application/octet-stream' : 'image/jpeg'
}
