import { APICallError, RetryError } from 'ai'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { ModelFailure } from '../model.ts'

/** A provider's API key, which must never appear in a message, and the setting that contains it. */
export type ProviderSecret = { value: string; settingName: string }

/** Facts about the model for messages about a failed request. */
export type FailureContext = {
  model: string
  secret: ProviderSecret | null
  /** The setting with the server's address. Null if the provider's own address is used. */
  addressSetting: string | null
}

type FailureDetails = FailureContext & { status: number; message: string; body: string }
type FailureReason = { toMessage: (details: FailureDetails) => string; isTransient: boolean }

const KEY_REFUSED: FailureReason = {
  toMessage: ({ status, secret }) =>
    `The provider refused the API key (HTTP ${status}): check ${secret?.settingName ?? 'the API key'}`,
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
const WRONG_ADDRESS: FailureReason = {
  toMessage: ({ status, addressSetting }) =>
    `There is no language model at this address (HTTP ${status})${toAddressHint(addressSetting)}`,
  isTransient: false,
}
const NOT_FOUND: FailureReason = { toMessage: describeNotFound, isTransient: false }

const REASONS_BY_STATUS: Readonly<Record<number, FailureReason>> = {
  // Redirects are not followed.
  301: WRONG_ADDRESS,
  302: WRONG_ADDRESS,
  307: WRONG_ADDRESS,
  308: WRONG_ADDRESS,
  401: KEY_REFUSED,
  403: KEY_REFUSED,
  404: NOT_FOUND,
  405: WRONG_ADDRESS,
  408: PROVIDER_BUSY,
  409: PROVIDER_BUSY,
  429: PROVIDER_BUSY,
}

const BROKE_OFF_MESSAGE = "The provider's answer broke off"
const MAX_MESSAGE_CHARS = 300
/** Codes of a connection that was never established, so the provider has received nothing. */
const NOT_CONNECTED_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Converts an AI SDK error to a message for people. Leaves out bodies and headers of requests. */
export function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof ModelFailure) return error
  const cause = findCause(error)
  const fail = (message: string, isTransient: boolean) =>
    new ModelFailure(message, isTransient, errorName(cause))
  if (!APICallError.isInstance(cause)) {
    if (isIncompleteStreamError(cause)) return fail(BROKE_OFF_MESSAGE, true)
    const detail = redact(errorMessageOf(cause), context.secret)
    return fail(`The provider's answer could not be parsed: ${detail}`, true)
  }
  const { statusCode: status, responseBody: body = '' } = cause
  const message = redact(readErrorMessage(body) ?? cause.message, context.secret)
  if (status === undefined) {
    const code = readConnectionCode(cause)
    // The message of a connection error contains the server's address, which readers of a meeting must not see.
    const detail = code === '' ? message : code
    const hint = toAddressHint(context.addressSetting)
    return fail(`The provider cannot be reached: ${detail}${hint}`, true)
  }
  if (status < 300) return fail(BROKE_OFF_MESSAGE, true)
  const { toMessage, isTransient } = REASONS_BY_STATUS[status] ?? chooseReason(status)
  return fail(toMessage({ ...context, status, message, body }), isTransient)
}

/** The server answered, but with a web page or other text that contains no events of a language model. */
export function createNonModelResponseFailure({ addressSetting }: FailureContext): ModelFailure {
  return new ModelFailure(
    `The server's answer is not that of a language model${toAddressHint(addressSetting)}`,
    false,
  )
}

/** True if a stream ended before the provider said that its answer is finished. */
export function isIncompleteStreamError(error: unknown): boolean {
  return /without a finish (?:reason|chunk)|terminated|broke off/.test(errorMessageOf(error))
}

/** True if the provider never received the request or refused it, so that it charges nothing. */
export function wasRequestRefusedOrUnsent(error: unknown): boolean {
  const cause = findCause(error)
  if (!APICallError.isInstance(cause)) return false
  const { statusCode = 0 } = cause
  return statusCode >= 300 || NOT_CONNECTED_CODES.has(readConnectionCode(cause))
}

/** True if the server may have refused the request because of its response format. */
export function mayBeResponseFormatRefusal(error: unknown): boolean {
  const cause = findCause(error)
  if (!APICallError.isInstance(cause)) return false
  const { statusCode: status = 0, responseBody: body = '' } = cause
  if (status === 400 || status === 422) return true
  return status >= 500 && /response_format|json_schema|grammar/i.test(body)
}

function chooseReason(status: number): FailureReason {
  if (status >= 500) return PROVIDER_BUSY
  return status < 400 ? WRONG_ADDRESS : REQUEST_REFUSED
}

/** A server answers 404 for an unknown model and for an unknown path, so the answer's text decides. */
function describeNotFound(details: FailureDetails): string {
  const { model, message, body, addressSetting } = details
  if (readErrorMessage(body) === null) return WRONG_ADDRESS.toMessage(details)
  if (/model/i.test(message)) return `The provider has no model ${model} (HTTP 404): ${message}`
  const address = addressSetting === null ? '' : `${addressSetting} and `
  return `The provider answered HTTP 404: ${message}; check ${address}the model ${model}`
}

function toAddressHint(addressSetting: string | null): string {
  return addressSetting === null ? '' : `: check ${addressSetting}`
}

/** The message in an error's JSON body, in the forms of OpenAI-compatible servers; null if there is none. */
function readErrorMessage(body: string): string | null {
  const parsed = tryParseJson(body)
  if (typeof parsed !== 'object' || parsed === null) return null
  const { error, message, detail } = parsed as Record<string, unknown>
  const nested = (error as { message?: unknown } | null | undefined)?.message
  return [nested, error, message, detail].find((value) => typeof value === 'string') ?? null
}

function findCause(error: unknown): unknown {
  return RetryError.isInstance(error) ? error.lastError : error
}

function readConnectionCode({ cause }: APICallError): string {
  return errorCode(cause) || errorCode((cause as Error | undefined)?.cause)
}

/** Only the name of an AI SDK error is logged, because the error object contains the request that was sent. */
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
