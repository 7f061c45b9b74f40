// Calls Hansard. Plain JavaScript for Node 20 and newer and for browsers, with nothing to install: the folder
// can also be copied as it is.
import { requestWithRetry } from './request.js'
import { HansardError } from './errors.js'
import { OPERATIONS } from './operations.js'
import { followWithReconnect } from './stream.js'

export { HansardError }

const DEFAULTS = { retries: 4, timeoutMs: 60_000, maxWaitMs: 60_000, patienceMs: 300_000 }

/** The operations of the interface in groups: `client.meetings.start({ … })`. */
export function createClient(options) {
  const client = { ...DEFAULTS, ...options, base: baseOf(options.url) }
  if (typeof client.apiKey !== 'string' || client.apiKey === '') {
    throw new TypeError('createClient needs an apiKey')
  }
  // Looked up at every call, and not called as a method of ours, which browsers refuse.
  client.fetch = options.fetch ?? ((...args) => globalThis.fetch(...args))
  return mapValues(OPERATIONS, (group) =>
    mapValues(
      group,
      (operation) =>
        (...args) =>
          runOperation(client, operation, args),
    ),
  )
}

function runOperation(client, operation, args) {
  const [call, options] = prepareCall(client, operation, args)
  if (operation.streams === undefined) return requestWithRetry(client, call, options.signal)
  const { signal, patienceMs = client.patienceMs, partials = true } = options
  return followWithReconnect(client, call, { signal, patienceMs, partials })
}

/** Arguments come in this order: what the path names, the body, the query, the options. */
function prepareCall(client, operation, args) {
  const rest = [...args]
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodePath(name, rest.shift()))
  const body = operation.sends === undefined ? undefined : encodeBody(operation.sends, rest.shift())
  const query = operation.hasQuery ? (rest.shift() ?? {}) : {}
  const options = rest.shift() ?? {}
  const headers = { ...options.headers }
  if (operation.sends !== undefined) headers['content-type'] = operation.sends
  // Made once for all attempts: that is what makes them one.
  if (operation.takesKey) headers['idempotency-key'] = options.idempotencyKey ?? newIdempotencyKey()
  const call = {
    method: operation.method,
    isBinary: operation.isBinary === true,
    hasNames: operation.streams === 'messages',
    url: `${client.base}${path}${encodeQuery(query)}`,
    headers,
    body,
    isRepeatable: operation.method === 'GET' || operation.takesKey === true,
    retries: options.retries ?? client.retries,
    timeoutMs: options.timeoutMs ?? client.timeoutMs,
  }
  return [call, options]
}

function baseOf(url) {
  const { origin, pathname, protocol, username, password } = new URL(url, globalThis.location?.href)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') {
    throw new TypeError('url must be an http or https address without user and password')
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** A name that would lead to another path is an error here, before it is sent. Only `path` may have parts. */
function encodePath(name, value) {
  const text = typeof value === 'number' ? String(value) : value
  const parts = name === 'path' ? String(text).split('/') : [text]
  const isName = (part) => typeof part === 'string' && !/^\.{0,2}$/.test(part)
  if (!parts.every(isName)) throw new TypeError(`${name} must be a name`)
  return parts.map(encodeURIComponent).join('/')
}

function encodeBody(mediaType, value) {
  return mediaType === 'application/json' ? JSON.stringify(value ?? {}) : String(value ?? '')
}

function encodeQuery(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Also on pages without TLS, where browsers hide `randomUUID`. */
function newIdempotencyKey() {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
