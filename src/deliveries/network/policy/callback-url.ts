import { isIP } from 'node:net'

export type HttpCallbackTarget = {
  url: URL
  /** The host of the callback URL in lower-case ASCII, without IPv6 brackets and without a trailing dot. */
  host: string
  isIpAddress: boolean
  port: number
}

const MAX_LENGTH = 2_048
const MAX_NAME_LENGTH = 253
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** URL parsers disagree about these characters, so a URL with one of them is refused. */
// eslint-disable-next-line no-control-regex
const AMBIGUOUS_CHARACTERS = /[\s\\\u0000-\u001f\u007f]/
const HTTP_START = /^https?:\/\/(?=[^/?#])/i
const AUTHORITY = /^https?:\/\/([^/?#]*)/i
const LABEL = /^[a-z0-9_-]{1,63}$/

/** Returns the parsed callback URL, or a sentence that says why the URL is not valid. */
export function parseCallbackUrlOrProblem(text: string): HttpCallbackTarget | string {
  if (text.length > MAX_LENGTH) return tooLong()
  if (AMBIGUOUS_CHARACTERS.test(text))
    return 'The URL must not contain white space, control characters or backslashes'
  if (!HTTP_START.test(text)) return 'The URL must start with http:// or https://'
  const url = URL.parse(text)
  if (url === null) return 'This is not a valid URL'
  // The length is checked again, because percent-encoding of non-ASCII letters can make the URL longer.
  if (url.href.length > MAX_LENGTH) return tooLong()
  if (AUTHORITY.exec(text)?.[1]?.includes('@') !== false) {
    return 'The URL must not contain a user name or password'
  }
  return toCallbackTarget(url)
}

function toCallbackTarget(url: URL): HttpCallbackTarget | string {
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port)
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0) return { url, host: literal, isIpAddress: true, port }
  const host = url.hostname.replace(/\.$/, '')
  const isName = host.length <= MAX_NAME_LENGTH && host.split('.').every((part) => LABEL.test(part))
  return isName
    ? { url, host, isIpAddress: false, port }
    : 'The URL does not contain a valid host name'
}

function tooLong(): string {
  return `The URL is longer than ${MAX_LENGTH} characters`
}
