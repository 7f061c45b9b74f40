import { describeLastError, type CallbackProblem } from '../history/delivery-summary.ts'

/** What the answers of chats usually mean. A receiver of callbacks means other things by the same answers. */
const HINTS: Readonly<Record<string, string>> = {
  http_400: 'Usually another format than that of the webhook',
  http_401: 'The chat does not accept this webhook',
  http_403: 'The chat does not let this webhook post to its channel',
  http_404: 'The webhook or its channel was deleted',
  http_410: 'The channel was archived, or the webhook was removed',
  http_413: 'The chat accepts only shorter messages',
  dns_error: 'Usually a typing error in the address',
  connection_refused: 'Usually the chat server is not running',
}

/** Describes the `last_error` of a lane to a chat for people. Null without one. */
export function describeChatProblem(lastError: string | null): CallbackProblem | null {
  const problem = describeLastError(lastError)
  const hint = lastError === null ? undefined : HINTS[lastError]
  return problem === null || hint === undefined ? problem : { ...problem, hint }
}
