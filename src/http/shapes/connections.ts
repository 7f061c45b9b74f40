import { z } from 'zod'
import { PROBLEM_CODES } from '../../connections/problems.ts'
import {
  Count,
  Instant,
  InstantText,
  MeetingId,
  NextCursor,
  ProjectId,
  RequestWarnings,
  NullableText,
} from './common.ts'
import { createCursorParameterSchema, PageSizeParameter } from './query-parameters.ts'
import {
  CONNECTION_KINDS,
  CREDENTIAL_KINDS,
  MICROSOFT_CLOUDS,
  TRANSCRIPT_STATES,
} from './values.ts'

/*
 * Connections of the organization to Microsoft 365 and Google Workspace. Routes for admins, each under /api/v1 and /web:
 *   GET    /connections                               ConnectionsResponse
 *   POST   /connections                               CreateConnectionBody → 201 ConnectionResponse
 *   PATCH  /connections/{connectionId}                UpdateConnectionBody → ConnectionResponse
 *   DELETE /connections/{connectionId}                SuccessResponse
 *   POST   /connections/{connectionId}/check          ConnectionCheckResponse
 *   POST   /connections/{connectionId}/read           ConnectionResponse
 *   GET    /connections/{connectionId}/transcripts    ConnectionTranscriptsQuery → ConnectionTranscriptsResponse
 */

const MAX_ORGANIZERS = 500
const MAX_SECRET_CHARS = 500
const MAX_CERTIFICATE_CHARS = 20_000
const MAX_KEY_CHARS = 10_000
const GUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const GUID_OR_DOMAIN =
  /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+)$/i

const ConnectionProblem = z
  .object({
    code: z.enum(PROBLEM_CODES),
    text: z
      .string()
      .meta({
        examples: ['Admin consent for the application permission User.Read.All is not granted'],
      })
      .describe('What is wrong and what an admin can do'),
  })
  .meta({ id: 'ConnectionProblem' })

const ConnectionId = z
  .string()
  .meta({ pattern: '^con_[0-9A-Za-z]+$', examples: ['con_4fJq0Zb1y9nB4Q2wKxT5'] })

const Connection = z
  .object({
    id: ConnectionId,
    kind: z.enum(CONNECTION_KINDS),
    name: z.string().meta({ examples: ['Example Ltd'] }),
    cloud: z.enum(MICROSOFT_CLOUDS).nullable().describe('Microsoft’s cloud; null for Google'),
    tenant: NullableText.describe('Directory (tenant) ID; null for Google'),
    clientId: z
      .string()
      .describe('Application (client) ID, or the client ID of Google’s service account'),
    credential: z.enum(CREDENTIAL_KINDS),
    thumbprint: NullableText.describe(
      'SHA-256 of the certificate, or the ID of Google’s key; null for a secret',
    ),
    credentialExpiresAt: Instant.nullable().describe(
      'When the certificate expires; null for a secret or key, which do not say it',
    ),
    project: NullableText.describe(
      'Project of the meetings; null for a private project of each organizer',
    ),
    excludedTitles: z.array(z.string()),
    readsCalendar: z
      .boolean()
      .describe('True if titles and private events are read from calendars; only for Google'),
    readsFrom: Instant.describe('Transcripts from before this time are not read'),
    isPaused: z.boolean(),
    organizers: z.array(
      z.object({
        address: z.string().meta({ examples: ['ada@example.com'] }),
        problem: ConnectionProblem.nullable(),
        readAt: Instant.nullable().describe('When the list of transcripts was last read'),
      }),
    ),
    problem: ConnectionProblem.nullable().describe('Why it cannot be read; null while it can'),
    brokenSince: Instant.nullable(),
    polledAt: Instant.nullable().describe('When it was last read or tried; null if never'),
    readAt: Instant.nullable().describe('When it was last read without a problem'),
    nextPollAt: Instant,
    createdAt: Instant,
    transcripts: z
      .object({
        waiting: Count,
        imported: Count,
        excluded: Count,
        expired: Count,
        failed: Count,
      })
      .describe('How many transcripts are in each state'),
  })
  .meta({ id: 'Connection' })

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ pattern: '\\S', examples: ['Example Ltd'] }),
  clientSecret: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SECRET_CHARS)
    .describe('Value of a client secret of the app registration. It is never returned'),
  certificate: z
    .string()
    .min(1)
    .max(MAX_CERTIFICATE_CHARS)
    .describe(
      'Instead of a secret: PEM text with an RSA private key and its certificate. It is never returned',
    ),
  serviceAccountKey: z
    .string()
    .min(1)
    .max(MAX_KEY_CHARS)
    .meta({ examples: ['{"type": "service_account", "client_email": …}'] })
    .describe('For Google: the JSON file of a service account’s key. It is never returned'),
  readsCalendar: z
    .boolean()
    .describe(
      'For Google: read titles and private events from the calendars of the organizers. Needs the scope calendar.events.readonly; without it, no title can be excluded',
    ),
  project: ProjectId.nullable().describe(
    'Existing project of the meetings; null for a private project of each organizer, who then needs an account here',
  ),
  organizers: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(320)
        .regex(/^[^\s@]+@[^\s@]+$/, { error: 'Must be the address that the person signs in with' }),
    )
    .min(1)
    .max(MAX_ORGANIZERS)
    .meta({ examples: [['ada@example.com']] })
    .describe('Addresses with which the people sign in whose meetings are read'),
  excludedTitles: z
    .array(z.string().trim().min(1).max(200).meta({ pattern: '\\S' }))
    .max(100)
    .describe('No meeting whose title has one of these texts, in any letter case'),
  isPaused: z.boolean().describe('A paused connection is not read'),
}

export const CreateConnectionBody = z
  .object({
    name: fields.name,
    kind: z.enum(CONNECTION_KINDS).meta({ default: 'microsoft' }).optional(),
    cloud: z.enum(MICROSOFT_CLOUDS).meta({ default: 'global' }).optional(),
    tenant: z
      .string()
      .trim()
      .toLowerCase()
      .regex(GUID_OR_DOMAIN, {
        error: 'Must be the directory (tenant) ID or a domain of the tenant',
      })
      .meta({ examples: ['3f2b8a1c-0d4e-4f5a-9b6c-7d8e9f0a1b2c'] })
      .describe('For Microsoft 365: directory (tenant) ID')
      .optional(),
    clientId: z
      .string()
      .trim()
      .toLowerCase()
      .regex(GUID, { error: 'Must be the application (client) ID, such as 3f2b8a1c-…' })
      .meta({ examples: ['9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f'] })
      .describe('For Microsoft 365: application (client) ID')
      .optional(),
    clientSecret: fields.clientSecret.optional(),
    certificate: fields.certificate.optional(),
    serviceAccountKey: fields.serviceAccountKey.optional(),
    readsCalendar: fields.readsCalendar.meta({ default: true }).optional(),
    project: fields.project.meta({ default: null }).optional(),
    organizers: fields.organizers,
    excludedTitles: fields.excludedTitles.meta({ default: [] }).optional(),
    readsFrom: InstantText.optional().describe(
      'Reads also older transcripts, from this time on; default now',
    ),
    isPaused: fields.isPaused.meta({ default: false }).optional(),
  })
  .meta({
    examples: [
      {
        name: 'Example Ltd',
        tenant: '3f2b8a1c-0d4e-4f5a-9b6c-7d8e9f0a1b2c',
        clientId: '9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f',
        clientSecret: 'value of the secret',
        organizers: ['ada@example.com'],
      },
    ],
  })

/** Only the sent fields change. */
export const UpdateConnectionBody = z
  .object({
    name: fields.name.optional(),
    clientSecret: fields.clientSecret.optional(),
    certificate: fields.certificate.optional(),
    serviceAccountKey: fields.serviceAccountKey.optional(),
    readsCalendar: fields.readsCalendar.optional(),
    project: fields.project.optional(),
    organizers: fields.organizers.optional(),
    excludedTitles: fields.excludedTitles.optional(),
    isPaused: fields.isPaused.optional(),
  })
  .meta({ examples: [{ isPaused: true }] })

export const ConnectionsResponse = z.object({ connections: z.array(Connection) })
export const ConnectionResponse = z.object({ connection: Connection, warnings: RequestWarnings })

export const ConnectionCheckResponse = z.object({
  ok: z.boolean().describe('True if everything that was tried works'),
  checks: z.array(
    z
      .object({
        name: z.string().meta({ examples: ['Permission User.Read.All'] }),
        ok: z.boolean(),
        text: z.string().describe('Result of the check'),
      })
      .meta({ id: 'ConnectionCheck' }),
  ),
  warnings: RequestWarnings,
})

export const ConnectionTranscriptsQuery = z.object({
  state: z.enum(TRANSCRIPT_STATES).optional().describe('Only transcripts in this state'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(4_000),
})
export const ConnectionTranscriptsResponse = z.object({
  transcripts: z.array(
    z
      .object({
        id: z
          .string()
          .meta({ examples: ['MSMjMCMjNzU3ODc2ZDYtOTcwMi00MDhkLWFkNDItOTE2ZDNmZjkwZGY4'] })
          .describe('Id that the provider gave it'),
        organizer: z.string().meta({ examples: ['ada@example.com'] }),
        beganAt: Instant.describe('When the transcription began'),
        foundAt: Instant,
        state: z.enum(TRANSCRIPT_STATES),
        problem: ConnectionProblem.nullable(),
        nextAttemptAt: Instant.nullable().describe('When it is tried again; null if never'),
        meetingId: MeetingId.nullable().describe('The stored meeting; null if there is none'),
        changedAt: Instant.nullable().describe(
          'When it was found that the provider changed it after it was stored',
        ),
      })
      .meta({ id: 'ConnectionTranscript' }),
  ),
  nextCursor: NextCursor,
})

export type ApiConnection = z.input<typeof Connection>
export type ApiConnectionCheck = z.input<typeof ConnectionCheckResponse>
export type ApiConnectionTranscripts = z.input<typeof ConnectionTranscriptsResponse>
