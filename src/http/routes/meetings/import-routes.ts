import type { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import type { Db } from '../../../db/database.ts'
import { canonicalLanguageTag } from '../../../lib/text/language-tag.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import type {
  ImportRequest,
  ImportResult,
  TranscriptImports,
} from '../../../meetings/importing/transcript-imports.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { ImportTranscriptBody, ImportTranscriptResponse } from '../../shapes/meetings/import.ts'
import { MAX_IMPORT_BYTES } from '../../shapes/values.ts'
import { NEW_MEETING_SUBJECT } from './start-meeting-routes.ts'

/** JSON escapes every quote and line break, which can double the size of a transcript. */
const BODY_LIMIT = 2 * MAX_IMPORT_BYTES

/** Stores another product's transcript as an ended meeting. */
export function importRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { imports }: { imports: TranscriptImports },
): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.idempotentPost('/meetings/import', {
    subject: NEW_MEETING_SUBJECT,
    rateLimit: 'starts',
    longTextField: 'content',
    notJsonHint:
      'Send a transcript as JSON with the header Content-Type: application/json, and audio or video with POST /api/v1/recordings',
    // Names and texts are cleaned, and the error for other text names its line.
    allowsUnstorableText: true,
    summary: 'Import a transcript',
    description:
      'Stores a transcript of another product as a meeting that has ended: it can be searched and gets a document and a recap. Sends no callbacks. If it cannot be read, `details` names the lines and nothing is stored.',
    body: ImportTranscriptBody,
    bodyLimit: BODY_LIMIT,
    // Runs after the access check and before the body is read, because waiting bodies would need too much memory.
    preParsing: async (_request, reply) => {
      const release = imports.reserve()
      reply.raw.once('finish', release)
      reply.raw.once('close', release)
    },
    tooLargeText: 'The transcript is larger than 20 MiB',
    status: 201,
    response: ImportTranscriptResponse,
    run: (request, beforeCommit: (tx: Db, result: ImportResult) => Promise<void>) =>
      imports.add(
        request.viewer,
        toImportRequest(request.body),
        request.token?.id ?? null,
        beforeCommit,
      ),
    toResponse({ meeting, format, warnings }) {
      const { id: meetingId, status, platform, project, documentPath, segmentCount } = meeting
      const response = { meetingId, status, platform, project, documentPath, segmentCount, format }
      return warnings.length === 0 ? response : { ...response, warnings }
    },
  })
}

function toImportRequest(body: z.output<typeof ImportTranscriptBody>): ImportRequest {
  const { content, fileName, format, title, project, startedAt, timeZone, recapLanguage } = body
  return {
    content,
    fileName: fileName ?? null,
    format: format ?? null,
    title: title ?? null,
    project: project ?? DEFAULT_PROJECT,
    startedAt: startedAt === undefined ? null : new Date(startedAt),
    timeZone: timeZone === undefined ? null : canonicalTimeZone(timeZone),
    recapLanguage: recapLanguage === undefined ? null : canonicalLanguageTag(recapLanguage),
  }
}
