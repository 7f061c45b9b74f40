import { z } from 'zod'
import { OperatorError } from '../../../errors.ts'
import { readServerSentEvents, type ServerSentEvent } from '../../../lib/net/server-sent-events.ts'

/** Where the service is, who asks, and for what. */
export type ListenRequest = {
  service: URL
  apiKey: string
  name: string
  events: string | undefined
  meeting: string | undefined
}

/** Not now, but perhaps soon. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError'
  readonly waitMs: number

  constructor(text: string, waitMs: number) {
    super(text)
    this.waitMs = waitMs
  }
}

/** The service says something every 15 s; a stream that is silent for longer leads nowhere any more. */
const SILENCE_TIMEOUT_MS = 45_000

/** The address of something under /api/v1, also where the service does not live at the root of its host. */
export function apiUrl(service: URL, path: string): URL {
  return new URL(`${service.pathname.replace(/\/+$/, '')}/api/v1${path}`, service)
}

/** Messages from the last known one on; ends with the connection. An OperatorError will not pass by itself. */
export async function* openEventStream(
  asking: ListenRequest,
  lastId: string,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const silence = new AbortController()
  const timer = setTimeout(
    () => silence.abort(new RetryableError('The service says nothing', 0)),
    SILENCE_TIMEOUT_MS,
  )
  try {
    const answer = await fetch(streamUrl(asking), {
      headers: {
        'x-api-key': asking.apiKey,
        accept: 'text/event-stream',
        ...(lastId !== '' && { 'last-event-id': lastId }),
      },
      // The key is meant for this address and no other.
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    if (answer.status !== 200 || !isStream || answer.body === null)
      throw await errorFromResponse(answer)
    yield* readServerSentEvents(decodeText(answer.body, () => void timer.refresh()))
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

async function* decodeText(body: AsyncIterable<Uint8Array>, onPiece: () => void) {
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    onPiece()
    yield decoder.decode(bytes, { stream: true })
  }
}

const ErrorBody = z.object({
  error: z.string(),
  code: z.string(),
  hint: z.string().optional(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})

async function errorFromResponse(answer: Response): Promise<Error> {
  const { status, headers } = answer
  const parsed = ErrorBody.safeParse(parseJson(await answer.text()))
  if (!parsed.success) {
    const text = `What answers there (with ${status}) is not this service, or an older one`
    return status >= 500 ? new RetryableError(text, 0) : new OperatorError(text, 'Check --service')
  }
  const { error, code, hint, details } = parsed.data
  if (status === 429 || status >= 500) {
    return new RetryableError(error, Number(headers.get('retry-after') ?? 0) * 1000)
  }
  const more = details?.map(({ path, message }) => ` (${path}: ${message})`).join('') ?? ''
  return new OperatorError(`The service refuses: ${error}${more}`, hint ?? HINTS[code])
}

const HINTS: Record<string, string> = {
  invalid_api_key: 'Set HANSARD_API_KEY to the sk_… of a token that is in force',
  meeting_not_found: 'Check --meeting',
  not_found: 'Is the service older than this command?',
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
