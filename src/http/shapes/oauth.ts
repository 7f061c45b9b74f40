import { z } from 'zod'
import { ProjectId, RequestWarnings, NullableText } from './common.ts'
import type { ApiTypeOf } from './account.ts'

/** Requests and responses of the page where a person connects an assistant. */

export const ReviewAssistantBody = z.object({
  request: z
    .string()
    .max(8_192)
    .regex(/^q[A-Za-z0-9_-]*$/, 'Is not the request of an assistant')
    .describe('The parameter of the page: the query of the assistant’s request, in base64url'),
})
export const ReviewedAssistantResponse = z.object({
  assistant: z.object({
    name: z.string(),
    host: z.string().describe('Where the browser goes with the answer'),
    isOnThisMachine: z.boolean().describe('Whether that is the machine of the person'),
    isVerified: z.boolean().describe('True if that host also publishes the name'),
  }),
  canWrite: z.boolean().describe('Whether the assistant asks for more than reading'),
  ticket: NullableText.describe('Proves what was shown; null when there is a problem'),
  problem: NullableText.describe('What the assistant did wrong'),
  refuseUrl: z.string().describe('Where the browser goes without consent'),
  warnings: RequestWarnings,
})
export const AllowAssistantBody = z.object({
  ticket: z.string().min(1).max(16_384),
  canWrite: z.boolean(),
  projects: z.array(ProjectId).min(1).max(100).optional().describe('Without it, all projects'),
})
export const AllowedAssistantResponse = z.object({
  redirectUrl: z.string().describe('Where the browser goes with the consent'),
  warnings: RequestWarnings,
})

export type ApiReviewedAssistant = ApiTypeOf<typeof ReviewedAssistantResponse>
