import type { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import { ServiceError } from '../../../errors.ts'
import { canonicalLanguageTag } from '../../../lib/text/language-tag.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import { PART_BYTES } from '../../../recordings/recording.ts'
import type { NewRecording, Recordings } from '../../../recordings/recordings.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { RECORDING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import { acceptOnlyEmptyBodies } from '../../pipeline/json-body.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  CreateRecordingBody,
  CreateRecordingResponse,
  RecordingResponse,
  RecordingsResponse,
  toApiRecording,
} from '../../shapes/meetings/recordings.ts'
import { NEW_MEETING_SUBJECT } from './start-meeting-routes.ts'

type Parts = { recordings: Recordings }

const MEDIA_TYPE = 'application/octet-stream'

/** Sending recordings, which are recognized and become meetings, and following what becomes of them. */
export function recordingRoutes(app: FastifyApp, surface: ApiSurface, { recordings }: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.post('/recordings', {
    subject: NEW_MEETING_SUBJECT,
    rateLimit: 'starts',
    // The file name is only shown, and cleaned where it becomes a title.
    errorCodes: ['speech_unavailable', 'too_many_recordings'],
    summary: 'Begin to import a recording',
    description:
      'The file follows in parts of `partBytes`: PUT …/parts/1, …/parts/2 and so on, in any order. After the last one its speech is recognized and it becomes a meeting. The sound is stored encrypted until then.',
    body: CreateRecordingBody,
    status: 201,
    response: CreateRecordingResponse,
    handler: async (request) =>
      toApiRecording(
        await recordings.create(
          request.viewer,
          toNewRecording(request.body),
          request.token?.id ?? null,
        ),
      ),
  })

  routes.get('/recordings', {
    subject: 'list',
    summary: 'Recordings, newest first',
    description: 'At most 100. What became of a recording is listed for 30 days.',
    response: RecordingsResponse,
    handler: async (request) => ({
      recordings: (await recordings.list(request.viewer)).map(toApiRecording),
    }),
  })

  routes.get('/recordings/:recordingId', {
    subject: RECORDING_SUBJECT.read,
    summary: 'One recording',
    description: 'How far its upload and its recognition are.',
    response: RecordingResponse,
    handler: async (request) => toApiRecording(await recordings.get(request.params.recordingId)),
  })

  routes.delete('/recordings/:recordingId', {
    subject: RECORDING_SUBJECT.edit,
    summary: 'Cancel or forget a recording',
    description: 'Stops its recognition and deletes its sound. A meeting that it became stays.',
    response: SuccessResponse,
    handler: async (request) => recordings.remove(request.params.recordingId),
  })

  // Only this Fastify scope accepts bodies that are not JSON.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    const options = { parseAs: 'buffer', bodyLimit: PART_BYTES } as const
    scope.addContentTypeParser(MEDIA_TYPE, options, (_request, body, done) => done(null, body))
    acceptOnlyEmptyBodies(
      scope,
      () =>
        new ServiceError('unsupported_media_type', {
          text: 'The part was not sent as bytes',
          hint: `Send the header Content-Type: ${MEDIA_TYPE}`,
        }),
    )
    partRoute(scope, surface, recordings)
  })
}

function partRoute(app: FastifyApp, surface: ApiSurface, recordings: Recordings): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.put('/recordings/:recordingId/parts/:part', {
    subject: RECORDING_SUBJECT.edit,
    consumes: [MEDIA_TYPE],
    errorCodes: ['recording_unreadable'],
    summary: 'Send a part of a recording',
    description:
      'Each part has 4 MiB, and the last one the rest. A part can be sent again. The answer to the last missing part says if the recording can be read.',
    response: RecordingResponse,
    bodyLimit: PART_BYTES,
    tooLargeText: 'The part is larger than 4 MiB',
    handler: async (request) => {
      const { recordingId, part } = request.params
      // A request without a body reaches no parser that makes a buffer.
      const body: unknown = request.body
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      return toApiRecording(await recordings.addPart(recordingId, Number(part), bytes))
    },
  })
}

function toNewRecording(body: z.output<typeof CreateRecordingBody>): NewRecording {
  const { fileName, bytes, title, project, startedAt, timeZone, language, recapLanguage } = body
  return {
    fileName,
    byteCount: bytes,
    title: title ?? null,
    project: project ?? DEFAULT_PROJECT,
    startedAt: startedAt === undefined ? null : new Date(startedAt),
    timeZone: timeZone === undefined ? null : canonicalTimeZone(timeZone),
    language: language === undefined ? null : canonicalLanguageTag(language),
    recapLanguage: recapLanguage === undefined ? null : canonicalLanguageTag(recapLanguage),
  }
}
