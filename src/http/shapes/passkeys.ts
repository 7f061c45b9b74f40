import { z } from 'zod'
import { personName } from './account.ts'
import { Instant, RequestWarnings } from './common.ts'

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

/** The browser understands the options; the service decides which of them it sends. */
export const PasskeyOptionsResponse = z.object({
  options: z.looseObject({ challenge: z.string() }),
  warnings: RequestWarnings,
})

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export const PasskeyResponse = z.object({ passkey: Passkey, warnings: RequestWarnings })

export type WirePasskey = z.input<typeof Passkey>
