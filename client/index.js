// API client of Hansard. Plain JavaScript without dependencies, for Node 20 and newer and for browsers. You can also
// copy the folder into another project.
import { bindOperations } from './call.js'
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
  return bindOperations(OPERATIONS, (operation, call, options) =>
    runOperation(client, operation, call, options),
  )
}

function runOperation(client, operation, { path, ...sent }, options) {
  const headers = { ...sent.headers }
  // All attempts of a call share one key, so that the service runs the call only once.
  if (operation.takesKey) headers['idempotency-key'] = options.idempotencyKey ?? newIdempotencyKey()
  const call = {
    ...sent,
    headers,
    isBinary: operation.isBinary === true,
    hasNames: operation.streams === 'messages',
    url: `${client.base}${path}`,
    isRepeatable: sent.method === 'GET' || operation.takesKey === true,
    retries: options.retries ?? client.retries,
    timeoutMs: options.timeoutMs ?? client.timeoutMs,
  }
  if (operation.streams === undefined) return requestWithRetry(client, call, options.signal)
  const { signal, patienceMs = client.patienceMs, partials = true } = options
  return followWithReconnect(client, call, { signal, patienceMs, partials })
}

function parseBaseUrl(url) {
  const { origin, pathname, protocol, username, password } = new URL(url, globalThis.location?.href)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') {
    throw new TypeError('url must be an http or https URL without user name and password')
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** A random key. It does not use `randomUUID`, because browsers offer that only on pages with TLS. */
function newIdempotencyKey() {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
