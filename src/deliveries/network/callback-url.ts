import { isIP } from 'node:net'

export type CallbackTarget = {
  url: URL
  /** Lower case, in ASCII, without the brackets of IPv6 and the dot of the root. */
  host: string
  isIpAddress: boolean
  port: number
}

const MAX_LENGTH = 2_048
const MAX_NAME_LENGTH = 253
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** What some readers skip and others take for a border: with none of them there is one reading only. */
// eslint-disable-next-line no-control-regex
const AMBIGUOUS_CHARACTERS = /[\s\\\u0000-\u001f\u007f]/
const START = /^https?:\/\/(?=[^/?#])/i
const AUTHORITY = /^https?:\/\/([^/?#]*)/i
const LABEL = /^[a-z0-9_-]{1,63}$/

/** The address in parts, or a sentence that says why it is none for callbacks. */
export function parseCallbackUrl(text: string): CallbackTarget | string {
  if (text.length > MAX_LENGTH) return tooLong()
  if (AMBIGUOUS_CHARACTERS.test(text))
    return 'The address holds white space, a control character or a backslash'
  if (!START.test(text)) return 'The address must start with http:// or https://'
  const url = URL.parse(text)
  if (url === null) return 'This is not a web address'
  // Encoding makes letters of other scripts longer.
  if (url.href.length > MAX_LENGTH) return tooLong()
  if (AUTHORITY.exec(text)?.[1]?.includes('@') !== false) {
    return 'The address must not hold a user name or a password'
  }
  return toCallbackTarget(url)
}

function toCallbackTarget(url: URL): CallbackTarget | string {
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port)
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0) return { url, host: literal, isIpAddress: true, port }
  const host = url.hostname.replace(/\.$/, '')
  const isName = host.length <= MAX_NAME_LENGTH && host.split('.').every((part) => LABEL.test(part))
  return isName ? { url, host, isIpAddress: false, port } : 'The address holds no valid host name'
}

function tooLong(): string {
  return `The address is longer than ${MAX_LENGTH} characters`
}
