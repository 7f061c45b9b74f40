import { APICallError, RetryError } from 'ai'
import { errorCode, messageOf } from '../lib/error-code.ts'
import { ModelFailure } from './model.ts'

/** What must never be in a text, and where its owner sets it. */
export type ProviderSecret = { value: string; setting: string }

type FailureReason = { says: (parts: FailureDetails) => string; isTransient: boolean }
type FailureDetails = { model: string; setting: string; status: number; message: string }

const KEY_REFUSED: FailureReason = {
  says: ({ status, setting }) => `The provider refused the key (HTTP ${status}): check ${setting}`,
  isTransient: false,
}
const PROVIDER_BUSY: FailureReason = {
  says: ({ status, message }) => `The provider is busy (HTTP ${status}): ${message}`,
  isTransient: true,
}
const REQUEST_REFUSED: FailureReason = {
  says: ({ status, message }) => `The provider refused the request (HTTP ${status}): ${message}`,
  isTransient: false,
}

const REASONS_BY_STATUS: Readonly<Record<number, FailureReason>> = {
  401: KEY_REFUSED,
  403: KEY_REFUSED,
  404: {
    says: ({ model, message }) => `The provider has no model ${model} (HTTP 404): ${message}`,
    isTransient: false,
  },
  408: PROVIDER_BUSY,
  409: PROVIDER_BUSY,
  429: PROVIDER_BUSY,
}

const MAX_CHARS = 300

/** The reason for a person, from whatever the libraries throw. Bodies and headers of requests stay out of it. */
export function toModelFailure(
  error: unknown,
  model: string,
  secret: ProviderSecret | null,
): ModelFailure {
  if (error instanceof ModelFailure) return error
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (!APICallError.isInstance(cause)) {
    if (/without a finish reason|terminated/.test(messageOf(cause))) {
      return new ModelFailure('The answer of the provider broke off', true, errorName(cause))
    }
    const text = 'The answer of the provider could not be understood'
    return new ModelFailure(`${text}: ${redact(messageOf(cause), secret)}`, true, errorName(cause))
  }
  const { statusCode: status } = cause
  const message = redact(cause.message, secret)
  if (status === undefined || status < 300) {
    const code = errorCode(cause.cause) || errorCode((cause.cause as Error | undefined)?.cause)
    const detail = code === '' ? message : `${message} (${code})`
    return new ModelFailure(`The provider does not answer: ${detail}`, true, errorName(cause))
  }
  const { says, isTransient } =
    REASONS_BY_STATUS[status] ?? (status >= 500 ? PROVIDER_BUSY : REQUEST_REFUSED)
  const setting = secret?.setting ?? 'the API key'
  return new ModelFailure(says({ model, setting, status, message }), isTransient, errorName(cause))
}

/** The libraries' errors carry what was sent: only the name and the text go on, for the log. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** One line, no secret, not long. */
function redact(text: string, secret: ProviderSecret | null): string {
  const hidden = secret === null ? text : text.replaceAll(secret.value, '[hidden]')
  return hidden
    .replace(/\b(?:sk|key|AIza)[-_][\w*.-]{6,}/gi, '[hidden]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARS)
}
