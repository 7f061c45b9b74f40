import type { IncomingHttpHeaders } from 'node:http'

/** The API key of a request, from X-API-Key or a bearer token; null when both are present and differ. */
export function readApiKey(headers: IncomingHttpHeaders): string | null {
  const header = headers['x-api-key']
  const bearer = readBearerToken(headers)
  if (typeof header !== 'string') return bearer
  return bearer === null || bearer === header ? header : null
}

export function readBearerToken(headers: IncomingHttpHeaders): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')
  return match?.[1] ?? null
}
