import { isIP } from 'node:net'

/** For which name passkeys are valid, and from which origin a browser must use them. */
export type PasskeyHost = { rpId: string; origin: string }

/** Null where browsers offer no passkeys: for IP addresses, and without TLS except on localhost. */
export function findPasskeyHost(baseUrl: string): PasskeyHost | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return null
  return protocol === 'https:' || hostname === 'localhost' ? { rpId: hostname, origin } : null
}
