/**
 * Whether two addresses name the same issuer. Some providers write theirs with a slash at the end and some without; the
 * address of the discovery document does not tell which.
 */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutLastSlash(one) === withoutLastSlash(other)
}

/** Where the provider describes itself. */
export function discoveryUrlOf(issuer: string): URL {
  return new URL(`${withoutLastSlash(issuer)}/.well-known/openid-configuration`)
}

function withoutLastSlash(address: string): string {
  return new URL(address).href.replace(/\/$/, '')
}
