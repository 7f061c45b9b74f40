import { APICallError, RetryError } from 'ai'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { ModelFailure } from '../model.ts'

/** A provider's API key, which must never appear in a message, and the setting that holds it. */
export type ProviderSecret = { value: string; setting: string }

type FailureReason = { toMessage: (details: FailureDetails) => string; isTransient: boolean }
type FailureDetails = { model: string; setting: string; status: number; message: string }

const KEY_REFUSED: FailureReason = {
  toMessage: ({ status, setting }) =>
    `The provider refused the API key (HTTP ${status}): check ${setting}`,
  isTransient: false,
}
const PROVIDER_BUSY: FailureReason = {
  toMessage: ({ status, message }) => `The provider is busy (HTTP ${status}): ${message}`,
  isTransient: true,
}
const REQUEST_REFUSED: FailureReason = {
  toMessage: ({ status, message }) =>
    `The provider refused the request (HTTP ${status}): ${message}`,
  isTransient: false,
}

const REASONS_BY_STATUS: Readonly<Record<number, FailureReason>> = {
  401: KEY_REFUSED,
  403: KEY_REFUSED,
  404: {
    toMessage: ({ model, message }) => `The provider has no model ${model} (HTTP 404): ${message}`,
    isTransient: false,
  },
  408: PROVIDER_BUSY,
  409: PROVIDER_BUSY,
  429: PROVIDER_BUSY,
}

const MAX_MESSAGE_CHARS = 300

/** Turns an error of the AI SDK into a message for people. It leaves out the bodies and headers of requests. */
export function toModelFailure(
  error: unknown,
  model: string,
  secret: ProviderSecret | null,
): ModelFailure {
  if (error instanceof ModelFailure) return error
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (!APICallError.isInstance(cause)) {
    if (/without a finish reason|terminated/.test(errorMessageOf(cause))) {
      return new ModelFailure("The provider's answer broke off", true, errorName(cause))
    }
    const text = "The provider's answer could not be parsed"
    return new ModelFailure(
      `${text}: ${redact(errorMessageOf(cause), secret)}`,
      true,
      errorName(cause),
    )
  }
  const { statusCode: status } = cause
  const message = redact(cause.message, secret)
  if (status === undefined || status < 300) {
    const code = errorCode(cause.cause) || errorCode((cause.cause as Error | undefined)?.cause)
    const detail = code === '' ? message : `${message} (${code})`
    return new ModelFailure(`The provider cannot be reached: ${detail}`, true, errorName(cause))
  }
  const { toMessage, isTransient } =
    REASONS_BY_STATUS[status] ?? (status >= 500 ? PROVIDER_BUSY : REQUEST_REFUSED)
  const setting = secret?.setting ?? 'the API key'
  return new ModelFailure(
    toMessage({ model, setting, status, message }),
    isTransient,
    errorName(cause),
  )
}

/** Only the name of an AI SDK error is logged, because the error object itself contains the request that was sent. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** Replaces API keys with `[hidden]`, and shortens the text to one line of at most 300 characters. */
function redact(text: string, secret: ProviderSecret | null): string {
  const hidden = secret === null ? text : text.replaceAll(secret.value, '[hidden]')
  return hidden
    .replace(/\b(?:sk|key|AIza)[-_][\w*.-]{6,}/gi, '[hidden]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE_CHARS)
}
