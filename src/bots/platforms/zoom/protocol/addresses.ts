import type { LookupFunction } from 'node:net'
import { isHostOrSubdomain } from '../../links.ts'

/** Which servers the bot may connect to. */
export type StreamAddressRules = {
  /** Null if the network rules of the service allow this address, otherwise a sentence that says why not. */
  checkUrl(url: string): string | null
  /** Returns a DNS lookup for connections to this port. It fails if an address of the name is not allowed. */
  guardedLookup(port: number): LookupFunction
  /** Origins of test servers, such as `ws://127.0.0.1:1234`. No setting fills it. */
  testOrigins?: readonly string[]
}

/** The servers of streams have names like `….sjc.zoom.us`. */
const SERVER_DOMAIN = 'zoom.us'
const WSS_PORT = 443

export type CheckedAddress = { url: URL; lookup: LookupFunction } | { problem: string }

/**
 * Checks an address that Zoom sent. Webhooks are signed, but a leaked secret must not let anybody direct the bot and its
 * signature to another server.
 */
export function checkStreamAddress(given: string, rules: StreamAddressRules): CheckedAddress {
  // The field is called `server_urls`, and may contain several.
  const url = URL.parse(given.split(',')[0]?.trim() ?? '')
  if (url === null) return { problem: 'Zoom sent an address that is not valid' }
  const isTest = rules.testOrigins?.includes(url.origin) ?? false
  const isZoom =
    url.protocol === 'wss:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    isHostOrSubdomain(url.hostname, SERVER_DOMAIN)
  if (!isTest && !isZoom)
    return { problem: `Bots connect only to wss addresses of ${SERVER_DOMAIN}, not to ${url.host}` }
  const problem = rules.checkUrl(url.href.replace(/^ws/, 'http'))
  if (problem !== null) return { problem }
  return { url, lookup: rules.guardedLookup(url.port === '' ? WSS_PORT : Number(url.port)) }
}
