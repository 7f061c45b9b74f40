import { z } from 'zod'
import { personName } from './account.ts'
import { Instant, RequestWarnings, NullableText } from './common.ts'

/** Requests and responses of passkeys, in the JSON forms of WebAuthn. */

const base64url = z
  .string()
  .regex(/^[\w-]+$/, 'Must be base64url')
  .max(30_000)

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
}

export const AddPasskeyBody = z.object({
  name: personName,
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(40)).max(20).default([]),
    }),
  }),
})
export const PasskeySignInBody = z.object({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: z.exactOptional(base64url),
    }),
  }),
})

/** The browser understands the options. The service decides which ones it sends. */
export const PasskeyOptionsResponse = z.object({
  options: z.looseObject({ challenge: z.string() }),
  warnings: RequestWarnings,
})

const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export const PasskeyResponse = z.object({ passkey: Passkey, warnings: RequestWarnings })

export type ApiPasskey = z.input<typeof Passkey>

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
  providerUrl: NullableText.describe(
    'Page of the provider that ends the session there; null when there is none',
  ),
})

const Identity = z.object({
  id: z.string(),
  issuer: z.string(),
  email: NullableText,
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export const SignInMethodsResponse = z.object({
  hasPassword: z.boolean(),
  identities: z.array(Identity),
  passkeys: z.array(Passkey),
})

export type ApiIdentity = z.input<typeof Identity>
