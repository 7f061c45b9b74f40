/** What a call can fail with when the service itself says nothing. */
const TEXTS = {
  no_connection: 'The service cannot be reached',
  timeout: 'The service did not answer in time',
  not_this_service: 'What answers there is not this service, or an older one',
  redirected: 'The service wants to send the call, and with it the API key, to another address',
}

/** The one error of this client: what the service answered, or why it did not. */
export class HansardError extends Error {
  constructor(code, facts = {}) {
    super(
      facts.message ?? TEXTS[code] ?? code,
      facts.cause === undefined ? {} : { cause: facts.cause },
    )
    this.name = 'HansardError'
    this.code = code
    this.status = facts.status ?? 0
    this.requestId = facts.requestId ?? null
    this.details = facts.details ?? []
    this.hint = facts.hint ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
  }
}

/** The error in an answer that is no success. */
export async function errorFromResponse(response) {
  const { status, headers } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return new HansardError('redirected', { status })
  }
  const facts = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfterMs(headers),
  }
  const body = parseJsonOrNull(await response.text())
  if (typeof body?.error !== 'string' || typeof body.code !== 'string') {
    return new HansardError('not_this_service', facts)
  }
  const { error: message, code, details, hint } = body
  return new HansardError(code, { ...facts, message, details, hint })
}

/** `Retry-After` is a number of seconds or a date. */
function parseRetryAfterMs(headers) {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

function parseJsonOrNull(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
