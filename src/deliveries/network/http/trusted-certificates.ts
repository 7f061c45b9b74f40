import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { OperatorError } from '../../../errors.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const FIX = 'Check HANSARD_CALLBACK_CA_FILE'

/** Trusts the certificate authorities that Node trusts by default and the given ones. Null when none are given. */
export function createTrustedTlsContext(extraCaPem: string | undefined): SecureContext | null {
  if (extraCaPem === undefined) return null
  const certificates = extraCaPem.match(CERTIFICATE) ?? []
  if (certificates.length === 0) {
    throw new OperatorError(
      'The file with additional certificate authorities contains no PEM certificate',
      FIX,
    )
  }
  // OpenSSL silently skips certificates that it cannot parse, and callbacks would fail later.
  for (const [i, certificate] of certificates.entries()) requireValid(certificate, i + 1)
  // Created once, because parsing all certificates takes milliseconds.
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}

function requireValid(certificate: string, position: number): void {
  try {
    void new X509Certificate(certificate)
  } catch (error) {
    const text = `Certificate ${position} of the additional certificate authorities is not valid`
    throw new OperatorError(text, FIX, error)
  }
}
