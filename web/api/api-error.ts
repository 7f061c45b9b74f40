export interface FieldError {
  path: string
  message: string
}

interface ErrorFields {
  status: number
  code: string
  requestId?: string | undefined
  details?: FieldError[] | undefined
  hint?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** The error of every failed request: message, field errors and a hint. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly details: FieldError[]
  readonly hint: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, fields: ErrorFields) {
    super(message, { cause: fields.cause })
    this.status = fields.status
    this.code = fields.code
    this.requestId = fields.requestId
    this.details = fields.details ?? []
    this.hint = fields.hint
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

export function isNotFoundError(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('Something went wrong on this page.', {
    status: 0,
    code: 'console_failure',
    hint: 'Reload the page and try again.',
    cause: error,
  })
}

export function toNetworkError(cause: unknown): ApiError {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError'
  return new ApiError(
    isTimeout ? 'The server took too long to respond.' : 'The server did not respond.',
    {
      status: 0,
      code: isTimeout ? 'timeout' : 'unreachable',
      hint: 'Check your connection and that Hansard is running, then try again.',
      cause,
    },
  )
}

export async function readApiError(response: Response): Promise<ApiError> {
  const body = await readBody(response)
  return new ApiError(asText(body.error) ?? `The server answered ${response.status}.`, {
    status: Number(response.headers.get('x-error-status') ?? response.status),
    code: asText(body.code) ?? '',
    requestId: asText(body.requestId),
    details: Array.isArray(body.details) ? body.details.filter(isFieldError) : undefined,
    hint: asText(body.hint),
    retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')),
  })
}

/** A proxy may send an HTML page instead of JSON. The status is still reported then. */
async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false
  const { path, message } = value as Partial<FieldError>
  return typeof path === 'string' && typeof message === 'string'
}

function readRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}
