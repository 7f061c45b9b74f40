import { z } from 'zod'
import { NODE_ROLES } from '../../db/nodes/node-roles.ts'
import { DOCUMENT_PLACES } from '../../projects/files/store/document-files.ts'
import { Count, Instant, RequestWarnings, NullableText } from './common.ts'

/** Speech recognition on the node that sent the response. */
export const SpeechStatusResponse = z.object({
  isOn: z.boolean(),
  state: z.enum(['installed', 'absent', 'outdated', 'damaged']),
  runtime: z.enum(['native', 'webassembly']).nullable(),
  sizeBytes: Count,
  problem: NullableText,
  endpointUrl: NullableText,
  installation: z.object({
    phase: z.enum(['none', 'running', 'done', 'failed']),
    detail: NullableText,
    fix: NullableText,
  }),
})

export type ApiSpeechStatus = z.input<typeof SpeechStatusResponse>

export const AvailableChecksResponse = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      isDeep: z.boolean().describe('Whether the check takes about half a minute'),
    }),
  ),
})
export const CheckParams = z.object({ name: z.string().min(1).max(100) })
export const CheckResultResponse = z.object({
  name: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  fix: z.string().optional().describe('How to fix it'),
})

export const VersionsResponse = z.object({
  service: z.string(),
  node: z.string(),
  postgres: z.string(),
  browser: NullableText,
  browserIsolation: z
    .enum(['sandbox', 'account', 'none'])
    .nullable()
    .describe(
      'sandbox: the sandbox of the browser is on; account: it is off, but the browser does not run as root; none: neither',
    ),
})

const countAndBytes = z.object({ count: Count, bytes: Count })
export const StorageResponse = z.object({
  folder: z.string(),
  database: z.string(),
  documentPlace: z.enum(DOCUMENT_PLACES).describe('Where documents and prompts are'),
  freeDiskMb: Count,
  minFreeDiskMb: Count,
  databaseBytes: Count,
  meetings: Count,
  documents: countAndBytes,
  evidence: countAndBytes,
  lastBackup: z.object({ at: Instant, file: NullableText }).nullable(),
})

export const NodesResponse = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      isThis: z.boolean().describe('Whether this node sent the response'),
      isAlive: z.boolean(),
      beatAt: Instant,
      bots: Count.describe('How many bots it can run'),
      roles: z.array(z.enum(NODE_ROLES)).describe('What the node does, see HANSARD_ROLES'),
      meetings: Count.describe('How many meetings it attends'),
    }),
  ),
})

export const ModelSettingsResponse = z.object({
  defaultModel: NullableText,
  coachModel: NullableText,
  recapModel: NullableText.describe('Makes recaps; null when they are made by rules'),
  askModel: NullableText.describe('Answers questions; null when no model does'),
  providers: z.array(
    z.object({ name: z.string(), isConfigured: z.boolean(), keySetting: z.string() }),
  ),
})
export const ModelCheckBody = z.object({
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[\w-]+\/[^\s\p{C}]+$/u, 'Must be provider/model'),
})
export const ModelCheckResponse = z.object({
  ok: z.boolean(),
  detail: z.string(),
  durationMs: Count,
  warnings: RequestWarnings,
})

export type ApiAvailableChecks = z.input<typeof AvailableChecksResponse>
export type ApiCheckResult = z.input<typeof CheckResultResponse>
export type ApiVersions = z.input<typeof VersionsResponse>
export type ApiStorage = z.input<typeof StorageResponse>
export type ApiNodes = z.input<typeof NodesResponse>
export type ApiModelSettings = z.input<typeof ModelSettingsResponse>
export type ApiModelCheckResult = z.input<typeof ModelCheckResponse>
