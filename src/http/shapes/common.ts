import { z } from 'zod'
import { PROJECTS_ROOT } from '../../projects/document-ref.ts'
import { explainBadName } from '../../lib/text/bad-names.ts'
import { isProjectId, MAX_PROJECT_ID_LENGTH } from '../../projects/files/file-names.ts'

/** A point in time in responses: ISO 8601 in UTC with milliseconds in JSON, a Date in the code. */
export const Instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString() as `${string}Z`,
})

/** A point in time in requests, as text: ISO 8601 with any precision and time zone. */
export const InstantText = z.iso.datetime({
  offset: true,
  error: 'Must be a time such as 2026-11-15T08:30:00Z',
})

/** A point in time in requests. A body with it has no examples in the OpenAPI document, because zod drops them. */
export const InstantInput = InstantText.transform((text) => new Date(text))

/** A text that can be missing. */
export const NullableText = z.string().nullable()
export const Count = z.int().min(0)
/** A position that counts from 1, such as the number of a segment. */
export const Ordinal = z.int().min(1)

/** Why callbacks fail, for people. */
export const CallbackProblem = z
  .object({
    label: z.string().describe('The status of the response, or why there was none'),
    hint: z.string().describe('What it usually means'),
  })
  .nullable()

/** The id of a meeting in responses. The id of a test event contains no time. */
export const MeetingId = z.string().meta({ pattern: '^meeting_[0-9a-z]+_[0-9A-Za-z]+$' })
export const ExecutionId = z.string().meta({ pattern: '^execution_[0-9A-Za-z]+$' })
export const DeliveryId = z.string().meta({ pattern: '^dlv_[0-9A-Za-z]+$' })
/** The form of a project id, without character classes that some validators don't know. The check is stricter. */
const PROJECT_ID_FORM = String.raw`^[^\s._/\\-](?:[^/\\]*[^\s._/\\-])?$`
/** The id of a project in the body of a request. */
export const ProjectId = z
  .string()
  .refine(isProjectId, { error: ({ input }) => explainBadName('project', String(input)) })
  .meta({ pattern: PROJECT_ID_FORM, maxLength: MAX_PROJECT_ID_LENGTH })
/** The path of a saved document in responses. */
export const DocumentPath = z.string().meta({ pattern: `^${PROJECTS_ROOT}/` })
/** The position of the next page. Null on the last page. */
export const NextCursor = NullableText.describe(
  'Send it as `cursor` to get the next page; null on the last page',
)

/** Warnings about the request, such as ignored unknown fields. */
export const RequestWarnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe(
    'Fields of the request that were ignored, with the most similar known name, and other warnings',
  )

export const SuccessResponse = z.object({ success: z.literal(true) })

export const ErrorResponse = z
  .object({
    error: z
      .string()
      .meta({ examples: ['There is no such meeting'] })
      .describe('A sentence for people'),
    code: z.string().describe('For programs; never changes'),
    requestId: z.string().describe('The same as the header X-Request-Id'),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('Every invalid field and what is wrong with it'),
    hint: z.string().optional().describe('What to do next, if known'),
  })
  .meta({ id: 'Error' })
