import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { OperatorError } from '../../errors.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Trusts the certificate authorities of the system and the given ones. Null when none are given. */
export function createTrustedContext(extraCa: string | undefined): SecureContext | null {
  if (extraCa === undefined) return null
  const certificates = extraCa.match(CERTIFICATE) ?? []
  // OpenSSL silently skips certificates that it cannot parse, and callbacks would fail later.
  if (certificates.length === 0 || !certificates.every(isValidCertificate)) {
    throw new OperatorError('The additional certificate authorities must be PEM certificates')
  }
  // Created once, because parsing all certificates takes milliseconds.
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
