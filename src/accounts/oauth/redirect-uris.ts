const MAX_LENGTH = 2_048
/** Programs on the person's machine. Their port is free when they listen, so it may differ (RFC 8252). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** URL parsers disagree about these characters. */
// eslint-disable-next-line no-control-regex
const AMBIGUOUS_CHARACTERS = /[\s\\\u0000-\u001f\u007f-\uffff]/

/** Null if an authorization code may be sent to this address, otherwise a sentence that says why not. */
export function findRedirectUriProblem(text: string): string | null {
  if (text.length > MAX_LENGTH) return `A redirect URI has at most ${MAX_LENGTH} characters`
  const url = AMBIGUOUS_CHARACTERS.test(text) ? null : URL.parse(text)
  if (url === null) return 'A redirect URI is not a valid URL'
  if (url.protocol !== 'https:' && !isLoopback(url))
    return 'A redirect URI must use https, or http on this machine'
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return 'A redirect URI must not contain a user name'
  if (text.includes('#')) return 'A redirect URI must not contain a fragment'
  // Only a path may be left out. Anything else that the parser changed could mean another address to a browser.
  if (url.href !== text && url.href !== `${text}/`) return 'A redirect URI is not in normal form'
  return null
}

/** True if the URI is the registered one. Only its port may differ, and only for a program on the same machine. */
export function matchesRedirectUri(registered: string, given: string): boolean {
  if (findRedirectUriProblem(given) !== null) return false
  if (registered === given) return true
  const [a, b] = [new URL(registered), new URL(given)]
  if (!isLoopback(a) || !isLoopback(b)) return false
  a.port = ''
  b.port = ''
  return a.href === b.href
}

export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname)
}
