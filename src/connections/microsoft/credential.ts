import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import type { CredentialFields, ReadCredential } from '../provider.ts'

/** How the application proves who it is. */
export const MicrosoftCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('secret'), secret: z.string() }),
  z.object({ kind: z.literal('certificate'), privateKey: z.string(), thumbprint: z.string() }),
])
export type MicrosoftCredential = z.infer<typeof MicrosoftCredential>

const PRIVATE_KEY = /-----BEGIN (?:RSA )?PRIVATE KEY-----[^-]+-----END (?:RSA )?PRIVATE KEY-----/
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/
const MIN_RSA_BITS = 2_048

/** The client secret or the certificate of a request; null if it has neither. */
export function readMicrosoftCredential(
  fields: CredentialFields,
  now: Date,
): ReadCredential | null {
  const { cloud = 'global', tenant, clientId, clientSecret, certificate } = fields
  if (fields.serviceAccountKey !== undefined)
    throw refuseField('serviceAccountKey', 'Send clientSecret or certificate instead')
  if (clientSecret !== undefined && certificate !== undefined)
    throw refuseField('certificate', 'Send clientSecret or certificate, not both')
  const identity =
    tenant === undefined || clientId === undefined ? null : { cloud, tenant, clientId }
  if (clientSecret !== undefined) {
    const credential: MicrosoftCredential = { kind: 'secret', secret: clientSecret }
    return { credential, identity, thumbprint: null, expiresAt: null }
  }
  if (certificate === undefined) return null
  const read = readCertificate(certificate, now)
  if (typeof read === 'string') throw refuseField('certificate', read)
  return { ...read, identity }
}

function refuseField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path, message }] })
}

/** Reads a PEM text with a private key and its certificate. Returns a sentence if it cannot be used. */
function readCertificate(pem: string, now: Date): ReadCredential | string {
  const [keyText] = PRIVATE_KEY.exec(pem) ?? []
  const [certificateText] = CERTIFICATE.exec(pem) ?? []
  if (keyText === undefined)
    return 'Must contain an unencrypted private key (-----BEGIN PRIVATE KEY-----)'
  if (certificateText === undefined)
    return 'Must contain the certificate (-----BEGIN CERTIFICATE-----)'
  const key = parseOrNull(() => createPrivateKey(keyText))
  if (key === null) return 'The private key cannot be read'
  const certificate = parseOrNull(() => new X509Certificate(certificateText))
  if (certificate === null) return 'The certificate cannot be read'
  const expiresAt = new Date(certificate.validTo)
  const problem = findKeyProblem(key, certificate) ?? findDateProblem(expiresAt, now)
  if (problem !== null) return problem
  const sha256 = createHash('sha256').update(certificate.raw)
  const digest = sha256.digest()
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    credential: { kind: 'certificate', privateKey, thumbprint: digest.toString('base64url') },
    // As the Entra admin center shows it.
    thumbprint: digest.toString('hex').toUpperCase(),
    identity: null,
    expiresAt,
  }
}

function findKeyProblem(key: KeyObject, certificate: X509Certificate): string | null {
  if (key.asymmetricKeyType !== 'rsa')
    return 'Must be an RSA key, because Microsoft accepts no other'
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
    return `The key must have at least ${MIN_RSA_BITS} bits`
  return certificate.checkPrivateKey(key)
    ? null
    : 'The private key does not belong to the certificate'
}

function findDateProblem(expiresAt: Date, now: Date): string | null {
  return expiresAt <= now ? 'The certificate has expired' : null
}

function parseOrNull<Value>(parse: () => Value): Value | null {
  try {
    return parse()
  } catch (error) {
    // OpenSSL has many error codes for a text that it cannot read.
    if (error instanceof Error) return null
    throw error
  }
}
