import { HELD_BACK_LAST_ERROR } from '../lane/lane-record.ts'
import type { DeliveryErrorCode } from '../network/delivery-errors.ts'

/** Why an attempt failed, for people: "401", "Usually another signing secret". */
export type CallbackProblem = { label: string; hint: string }

/** `token_removed` is only in lanes: without the token nothing is sent. */
const ERROR_PROBLEMS: Readonly<Record<DeliveryErrorCode | 'token_removed', CallbackProblem>> = {
  dns_error: { label: 'Host not found', hint: 'Usually a typing error in the callback URL' },
  connection_refused: { label: 'No connection', hint: 'Usually the receiver is not running' },
  connection_reset: {
    label: 'Connection reset',
    hint: 'The receiver closed the connection without a complete response',
  },
  timeout: { label: 'Timeout', hint: 'The receiver did not respond completely in time' },
  tls_error: {
    label: 'TLS error',
    hint: 'Usually a certificate that is expired or that Hansard does not trust',
  },
  blocked_address: {
    label: 'Address not allowed',
    hint: 'An administrator can allow it with HANSARD_CALLBACK_ALLOW',
  },
  bad_answer: { label: 'Invalid response', hint: 'The response is not HTTP' },
  token_removed: {
    label: 'Token revoked',
    hint: 'Callbacks can no longer be signed, so none are sent',
  },
}

const HELD_BACK_PROBLEM: CallbackProblem = {
  label: 'Waiting',
  hint: 'Callbacks of other meetings to the same address fail',
}

const STATUS_HINTS: Readonly<Record<number, string>> = {
  401: 'Usually another signing secret',
  403: 'Usually a firewall, or another signing secret',
  404: 'Usually a wrong path in the callback URL',
  405: 'This address does not accept POST requests',
  410: 'The receiver wants no more callbacks of this meeting',
  413: 'The receiver accepts only smaller requests',
  429: 'The receiver wants fewer requests',
  502: 'Usually the receiver behind a proxy is not running',
  503: 'The receiver is not ready',
  504: 'The receiver behind a proxy did not respond in time',
}
/** By the first digit of the status. */
const STATUS_CLASS_HINTS: Readonly<Record<number, string>> = {
  3: 'Redirects are not followed: use the address that they lead to',
  4: 'The receiver rejects the event',
  5: 'An error in the receiver: its log says more',
}

/** Null when the attempt succeeded without a remark. */
export function describeProblem(attempt: {
  status: number | null
  error: string | null
}): CallbackProblem | null {
  const { status, error } = attempt
  const statusClass = Math.floor((status ?? 0) / 100)
  if (status !== null && statusClass !== 2) {
    const hint = STATUS_HINTS[status] ?? STATUS_CLASS_HINTS[statusClass]
    return { label: String(status), hint: hint ?? 'The receiver did not confirm the event' }
  }
  return error === null
    ? null
    : (ERROR_PROBLEMS[error as DeliveryErrorCode] ?? { label: 'No response', hint: '' })
}

/** The same for `last_error` of a lane: an error code, or `http_` and a status. */
export function describeLastError(lastError: string | null): CallbackProblem | null {
  if (lastError === null) return null
  if (lastError === HELD_BACK_LAST_ERROR) return HELD_BACK_PROBLEM
  const status = /^http_(\d{3})$/.exec(lastError)?.[1]
  return describeProblem(
    status === undefined
      ? { status: null, error: lastError }
      : { status: Number(status), error: null },
  )
}
