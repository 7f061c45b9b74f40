/** Messages of errors that do not come from the service. */
const TEXTS = {
  no_connection: 'The service cannot be reached',
  timeout: 'The service did not respond in time',
  not_this_service: 'The server at this URL is not Hansard, or an older version of it',
  redirected:
    'The service redirected the call to another address; the client does not send the API key there',
}

/** The only error class of this client: an error response of the service, or the reason why there is none. */
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

/** Converts an unsuccessful response to a HansardError. */
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
