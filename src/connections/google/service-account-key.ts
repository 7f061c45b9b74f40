import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import type { ReadCredential } from '../provider.ts'

/** What is stored of a key. The file's addresses are not used, so a forged file cannot send requests elsewhere. */
export const GoogleCredential = z.object({
  kind: z.literal('key'),
  email: z.string(),
  keyId: z.string(),
  privateKey: z.string(),
})
export type GoogleCredential = z.infer<typeof GoogleCredential>

/** The token endpoints that Google writes into keys. */
const TOKEN_ENDPOINTS = [
  'https://oauth2.googleapis.com/token',
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]
const MIN_RSA_BITS = 2_048

const KeyFile = z.object({
  type: z.literal('service_account', { error: 'is not that of a service account' }),
  client_email: z.string().regex(/^[\w.-]{1,100}@[\w.-]{1,200}\.gserviceaccount\.com$/),
  client_id: z.string().regex(/^\d{5,40}$/),
  private_key_id: z.string().regex(/^[\da-f]{16,64}$/),
  private_key: z.string(),
  token_uri: z.enum(TOKEN_ENDPOINTS),
  universe_domain: z.literal('googleapis.com').optional(),
})

/** Reads the JSON file of a service account's key. Returns a sentence if it cannot be used. */
export function readServiceAccountKey(text: string): ReadCredential | string {
  const parsed = KeyFile.safeParse(tryParseJson(text))
  if (!parsed.success) return describeIssue(parsed.error)
  const file = parsed.data
  const privateKey = readRsaKey(file.private_key)
  if (privateKey === null)
    return `Its private_key must be an RSA key with at least ${MIN_RSA_BITS} bits`
  const { client_email: email, private_key_id: keyId } = file
  const credential: GoogleCredential = { kind: 'key', email, keyId, privateKey }
  return {
    identity: { cloud: null, tenant: null, clientId: file.client_id },
    credential,
    thumbprint: keyId,
    expiresAt: null,
  }
}

function describeIssue({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join('.') ?? ''
  return field === ''
    ? 'Must be the JSON file of a service account’s key'
    : `Must be the JSON file of a service account’s key: its ${field} is missing or not that of Google`
}

function readRsaKey(pem: string): string | null {
  try {
    const key = createPrivateKey(pem)
    const isUsable =
      key.asymmetricKeyType === 'rsa' &&
      (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
    return isUsable ? key.export({ type: 'pkcs8', format: 'pem' }).toString() : null
  } catch (error) {
    // OpenSSL has many error codes for a text that it cannot read.
    if (error instanceof Error) return null
    throw error
  }
}
