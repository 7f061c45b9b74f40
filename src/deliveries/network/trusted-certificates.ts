import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { OperatorError } from '../../errors.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The authorities that the system trusts, and the given ones. Null when there are none to add. */
export function createTrustedContext(extraCa: string | undefined): SecureContext | null {
  if (extraCa === undefined) return null
  const certificates = extraCa.match(CERTIFICATE) ?? []
  // OpenSSL passes over what it cannot read, and the operator would learn of it from failed callbacks.
  if (certificates.length === 0 || !certificates.every(isValidCertificate)) {
    throw new OperatorError('The further authorities to trust are no certificates in PEM')
  }
  // Made once: reading all certificates again for each connection would cost milliseconds.
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}

function isValidCertificate(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).subject !== undefined
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
