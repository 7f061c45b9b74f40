import { z } from 'zod'
import { OperatorError } from '../../../lib/operator-error.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import { errorCode, errorMessageOf } from '../../../lib/error-code.ts'
import { readServerSentEvents, type ServerSentEvent } from '../../../lib/net/server-sent-events.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'

/** Address of the service, API key, and the callbacks to listen for. */
export type ListenRequest = {
  service: URL
  apiKey: string
  name: string
  events: string | undefined
  meeting: string | undefined
}

/** A failure that a new connection may fix. `waitMs` is the minimum wait that the service requests. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError'
  readonly waitMs: number

  constructor(text: string, waitMs: number) {
    super(text)
    this.waitMs = waitMs
  }
}

/** The service sends something at least every 15 s, so a stream that is silent for longer is dead. */
const SILENCE_TIMEOUT_MS = 45_000

const BACKOFF_MS = [500, 1_000, 2_000, 5_000]
const MAX_BACKOFF_MS = 10_000

type Parts = {
  onMessage(message: ServerSentEvent): void
  /** Prints a message if the connection is lost or can't be opened. */
  printNote(text: string): void
}

/** URL of a path under /api/v1, even if the service has a path prefix on its host. */
export function apiUrl(service: URL, path: string): URL {
  return new URL(`${service.pathname.replace(/\/+$/, '')}/api/v1${path}`, service)
}

/** Yields the messages after `lastId` until the connection ends. Throws an OperatorError if a retry would not help. */
export async function* openEventStream(
  request: ListenRequest,
  lastId: string,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const silence = new AbortController()
  const timer = setTimeout(
    () => silence.abort(new RetryableError('The service has sent nothing for 45 s', 0)),
    SILENCE_TIMEOUT_MS,
  )
  try {
    const response = await fetch(streamUrl(request), {
      headers: {
        'x-api-key': request.apiKey,
        accept: 'text/event-stream',
        ...(lastId !== '' && { 'last-event-id': lastId }),
      },
      // Redirects are not followed, because the API key must not be sent to another address.
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (response.status !== 200 || !isStream || response.body === null)
      throw await errorFromResponse(response)
    yield* readServerSentEvents(decodeText(response.body, () => void timer.refresh()))
  } finally {
    clearTimeout(timer)
  }
}

function streamUrl({ service, name, events, meeting }: ListenRequest): URL {
  const url = apiUrl(service, `/listeners/${encodeURIComponent(name)}/stream`)
  if (events !== undefined) url.searchParams.set('events', events)
  if (meeting !== undefined) url.searchParams.set('meeting', meeting)
  return url
}

async function* decodeText(body: AsyncIterable<Uint8Array>, onChunk: () => void) {
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    onChunk()
    yield decoder.decode(bytes, { stream: true })
  }
}

const ErrorBody = z.object({
  error: z.string(),
  code: z.string(),
  hint: z.string().optional(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

async function errorFromResponse(response: Response): Promise<Error> {
  const { status, headers } = response
  const parsed = ErrorBody.safeParse(tryParseJson(await response.text()))
  if (!parsed.success) {
    const text = `The server at that address (status ${status}) is not Hansard, or an older version`
    return status >= 500 ? new RetryableError(text, 0) : new OperatorError(text, 'Check --service')
  }
  const { error, code, hint, details } = parsed.data
  if (status === 429 || status >= 500) {
    return new RetryableError(error, Number(headers.get('retry-after') ?? 0) * 1000)
  }
  const more = details?.map(({ path, message }) => ` (${path}: ${message})`).join('') ?? ''
  return new OperatorError(`The service refused the request: ${error}${more}`, hint ?? HINTS[code])
}

const HINTS: Record<string, string> = {
  invalid_api_key: 'Set HANSARD_API_KEY to the API key (sk_…) of an active token',
  meeting_not_found: 'Check --meeting',
  not_found: 'Is the service older than this command?',
}

/**
 * Reads the service's event stream until the signal aborts. After a lost connection, it reconnects and continues after
 * the last message that it received.
 */
export async function followEventStream(
  request: ListenRequest,
  signal: AbortSignal,
  { onMessage, printNote }: Parts,
): Promise<void> {
  const wakeUp = createWakeableSleep()
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let lastId = ''
  let failures = 0
  while (!signal.aborted) {
    let problem = new RetryableError('The service ended the stream', 0)
    try {
      for await (const message of openEventStream(request, lastId, signal)) {
        failures = 0
        lastId = message.id
        onMessage(message)
      }
    } catch (error) {
      if (signal.aborted) return
      problem = toRetryableError(error, request)
    }
    if (signal.aborted) return
    const waitMs = Math.max(problem.waitMs, BACKOFF_MS[failures] ?? MAX_BACKOFF_MS)
    failures += 1
    printNote(`${problem.message}; retrying in ${waitMs / 1000} s`)
    await wakeUp.sleep(waitMs)
  }
}

/** Rethrows errors that a retry would not fix. */
function toRetryableError(error: unknown, { service }: ListenRequest): RetryableError {
  if (error instanceof RetryableError) return error
  // fetch reports connection failures as a TypeError with the reason in `cause`.
  if (!(error instanceof TypeError) || error.cause === undefined) throw error
  const why = errorCode(error.cause) || errorMessageOf(error.cause)
  return new RetryableError(`No connection to ${service.origin} (${why})`, 0)
}
