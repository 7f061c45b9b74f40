import { z } from 'zod'
import { Instant, RequestWarnings } from './common.ts'
import { Passkey } from './passkeys.ts'

/** Requests and responses of sign-in with a provider and with passkeys. */

export const StartProviderSignInBody = z.object({
  next: z.string().max(2_000).optional().describe('Path to open after the sign-in'),
})
export const ProviderPageResponse = z.object({
  url: z.string().describe('Page of the provider to open in this browser'),
  warnings: RequestWarnings,
})
export const SignOutResponse = z.object({
  success: z.literal(true),
  providerUrl: z
    .string()
    .nullable()
    .describe('Page of the provider that ends the session there; null when there is none'),
})

const Identity = z.object({
  id: z.string(),
  issuer: z.string(),
  email: z.string().nullable(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export const SignInMethodsResponse = z.object({
  hasPassword: z.boolean(),
  identities: z.array(Identity),
  passkeys: z.array(Passkey),
})

export type WireProviderPage = z.input<typeof ProviderPageResponse>
export type WireSignOut = z.input<typeof SignOutResponse>
export type WireIdentity = z.input<typeof Identity>
export type WireSignInMethods = z.input<typeof SignInMethodsResponse>
