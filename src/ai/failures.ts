import { APICallError, RetryError } from 'ai'
import { errorCode, messageOf } from '../lib/error-code.ts'
import { ModelFailure } from './model.ts'

/** What must never be in a text, and where its owner sets it. */
export type Secret = { value: string; setting: string }

type Reason = { says: (parts: Parts) => string; isTemporary: boolean }
type Parts = { model: string; setting: string; status: number; message: string }

const REFUSED: Reason = {
  says: ({ status, setting }) => `The provider refused the key (HTTP ${status}): check ${setting}`,
  isTemporary: false,
}
const BUSY: Reason = {
  says: ({ status, message }) => `The provider is busy (HTTP ${status}): ${message}`,
  isTemporary: true,
}
const WRONG: Reason = {
  says: ({ status, message }) => `The provider refused the request (HTTP ${status}): ${message}`,
  isTemporary: false,
}

const BY_STATUS: Readonly<Record<number, Reason>> = {
  401: REFUSED,
  403: REFUSED,
  404: {
    says: ({ model, message }) => `The provider has no model ${model} (HTTP 404): ${message}`,
    isTemporary: false,
  },
  408: BUSY,
  409: BUSY,
  429: BUSY,
}

const MAX_CHARS = 300

/** The reason for a person, from whatever the libraries throw. Bodies and headers of requests stay out of it. */
export function toFailure(error: unknown, model: string, secret: Secret | null): ModelFailure {
  if (error instanceof ModelFailure) return error
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (!APICallError.isInstance(cause)) {
    if (/without a finish reason|terminated/.test(messageOf(cause))) {
      return new ModelFailure('The answer of the provider broke off', true, causeOf(cause))
    }
    const text = 'The answer of the provider could not be understood'
    return new ModelFailure(`${text}: ${clean(messageOf(cause), secret)}`, true, causeOf(cause))
  }
  const { statusCode: status } = cause
  const message = clean(cause.message, secret)
  if (status === undefined || status < 300) {
    const code = errorCode(cause.cause) || errorCode((cause.cause as Error | undefined)?.cause)
    const detail = code === '' ? message : `${message} (${code})`
    return new ModelFailure(`The provider does not answer: ${detail}`, true, causeOf(cause))
  }
  const { says, isTemporary } = BY_STATUS[status] ?? (status >= 500 ? BUSY : WRONG)
  const setting = secret?.setting ?? 'the API key'
  return new ModelFailure(says({ model, setting, status, message }), isTemporary, causeOf(cause))
}

/** The libraries' errors carry what was sent: only the name and the text go on, for the log. */
function causeOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** One line, no secret, not long. */
function clean(text: string, secret: Secret | null): string {
  const hidden = secret === null ? text : text.replaceAll(secret.value, '[hidden]')
  return hidden
    .replace(/\b(?:sk|key|AIza)[-_][\w*.-]{6,}/gi, '[hidden]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARS)
}
