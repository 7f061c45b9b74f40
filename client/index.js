// API client of Hansard. Plain JavaScript without dependencies, for Node 20 and newer and for browsers. You can also
// copy the folder into another project.
import { requestWithRetry } from './request.js'
import { HansardError } from './errors.js'
import { OPERATIONS } from './operations.js'
import { followWithReconnect } from './stream.js'

export { HansardError }

const DEFAULTS = { retries: 4, timeoutMs: 60_000, maxWaitMs: 60_000, patienceMs: 300_000 }

/** A client with the API operations in groups, for example `client.meetings.start({ … })`. */
export function createClient(options) {
  const client = { ...DEFAULTS, ...options, base: parseBaseUrl(options.url) }
  if (typeof client.apiKey !== 'string' || client.apiKey === '') {
    throw new TypeError('createClient needs an apiKey')
  }
  // The arrow function reads the global fetch at every call. Browsers reject fetch as a method of another object.
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

/** The order of arguments is: path parameters, body, query, options. */
function prepareCall(client, operation, args) {
  const rest = [...args]
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodePath(name, rest.shift()))
  const body = operation.sends === undefined ? undefined : encodeBody(operation.sends, rest.shift())
  const query = operation.hasQuery ? (rest.shift() ?? {}) : {}
  const options = rest.shift() ?? {}
  const headers = { ...options.headers }
  if (operation.sends !== undefined) headers['content-type'] = operation.sends
  // All attempts of a call share one key, so that the service runs the call only once.
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

function parseBaseUrl(url) {
  const { origin, pathname, protocol, username, password } = new URL(url, globalThis.location?.href)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') {
    throw new TypeError('url must be an http or https URL without user name and password')
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Encodes a path parameter. Rejects values that would change the path. Only `path` may contain slashes. */
function encodePath(name, value) {
  const text = typeof value === 'number' ? String(value) : value
  const parts = name === 'path' ? String(text).split('/') : [text]
  const isName = (part) => typeof part === 'string' && !/^\.{0,2}$/.test(part)
  if (!parts.every(isName))
    throw new TypeError(`${name} must be a non-empty name other than . and ..`)
  return parts.map(encodeURIComponent).join('/')
}

function encodeBody(mediaType, value) {
  return mediaType === 'application/json' ? JSON.stringify(value ?? {}) : String(value ?? '')
}

function encodeQuery(query) {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(defined.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A random key. It does not use `randomUUID`, because browsers offer that only on pages with TLS. */
function newIdempotencyKey() {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
