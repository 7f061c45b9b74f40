import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { ApiHttp, ApiResponse } from '../../network/api-requests.ts'
import { ReadProblem } from '../problems.ts'
import { CursorLost, sendRequest } from '../provider.ts'
import {
  requestAccessToken,
  type AccessToken,
  type GoogleApp,
  type GoogleScope,
} from './access-token.ts'

const APIS = {
  meet: { title: 'Google Meet API', service: 'Google Meet', scope: 'meetings.space.readonly' },
  calendar: {
    title: 'Google Calendar API',
    service: 'Google Calendar',
    scope: 'calendar.events.readonly',
  },
} as const satisfies Record<string, { title: string; service: string; scope: GoogleScope }>
type Api = keyof typeof APIS

/** A request for one person. */
export type GoogleRequest = {
  api: Api
  person: string
  /** Below the origin of the API. Ids in it are encoded. */
  path: string
  query?: Record<string, string>
  /** The problem of a larger answer. */
  tooLarge?: ReadProblem
  /** True for a list whose page token can become too old. */
  isContinued?: boolean
}

/** Requests to the APIs of Google as one service account. Each throws a `ReadProblem` without a usable answer. */
export interface GoogleSession {
  token(person: string, scope: GoogleScope): Promise<AccessToken>
  readJson<Shape extends z.ZodType>(request: GoogleRequest, shape: Shape): Promise<z.output<Shape>>
}

/** A page of 100 entries with the longest texts is smaller. */
const MAX_JSON_BYTES = 4_000_000
/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 5 * MINUTE_MS

export function openGoogleSession(
  http: ApiHttp,
  app: GoogleApp,
  signal: AbortSignal,
): GoogleSession {
  const tokens = new Map<string, AccessToken>()

  const token = async (person: string, scope: GoogleScope) => {
    const key = `${scope} ${person}`
    const known = tokens.get(key)
    const now = http.clock.now().getTime()
    if (known !== undefined && known.expiresAt.getTime() - RENEW_BEFORE_MS > now) return known
    const requested = await requestAccessToken(http, app, person, scope, signal)
    tokens.set(key, requested)
    return requested
  }
  const sendOnce = async ({ api, person, path, query, tooLarge }: GoogleRequest) => {
    const { text } = await token(person, APIS[api].scope)
    const url = `${app.hosts[api]}${path}?${new URLSearchParams(query).toString()}`
    const headers = { authorization: `Bearer ${text}`, accept: 'application/json' }
    const limit = { maxBytes: MAX_JSON_BYTES, ...(tooLarge && { tooLarge }) }
    return sendRequest(http, url, { headers, ...limit }, signal)
  }

  return {
    token,
    async readJson(request, shape) {
      let response = await sendOnce(request)
      if (response.status === 401) {
        // The token may have been revoked. If a new one is refused too, the service account is.
        tokens.delete(`${APIS[request.api].scope} ${request.person}`)
        response = await sendOnce(request)
      }
      if (response.status !== 200) throw toProblem(response, request)
      const parsed = shape.safeParse(tryParseJson(response.text))
      if (parsed.success) return parsed.data
      const [issue] = parsed.error.issues
      throw new ReadProblem('bad_answer', `field ${issue?.path.join('.') || 'of the whole answer'}`)
    },
  }
}

/** The two forms of errors: `details` of newer APIs, and `errors` of older ones such as Calendar. */
const ErrorResponse = z.object({
  error: z.object({
    status: z.string().optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
})

function readReasons(text: string): string[] {
  const parsed = ErrorResponse.safeParse(tryParseJson(text))
  if (!parsed.success) return []
  const { status, details = [], errors = [] } = parsed.data.error
  return [status, ...[...details, ...errors].map(({ reason }) => reason)].flatMap(
    (reason) => reason ?? [],
  )
}

const DISABLED = ['SERVICE_DISABLED', 'accessNotConfigured']
const MISSING_SCOPE = ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficientPermissions']
const LIMITED = [
  'RESOURCE_EXHAUSTED',
  'RATE_LIMIT_EXCEEDED',
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
]

function toProblem(
  { status, text, retryAfterMs }: ApiResponse,
  { api, isContinued = false }: GoogleRequest,
): Error {
  const reasons = readReasons(text)
  const hasReason = (known: readonly string[]) => reasons.some((reason) => known.includes(reason))
  const { title, service, scope } = APIS[api]
  if (status === 429 || (status === 403 && hasReason(LIMITED)))
    return new ReadProblem('throttled', null, retryAfterMs)
  if (status >= 500) return new ReadProblem('unavailable', String(status), retryAfterMs)
  if (status === 401) return new ReadProblem('access_revoked')
  if (status === 403 && hasReason(DISABLED)) return new ReadProblem('api_disabled', title)
  if (status === 403 && hasReason(MISSING_SCOPE))
    return new ReadProblem('delegation_missing', scope)
  if (status === 403) return new ReadProblem('service_refused', service)
  if (status === 404) return new ReadProblem('not_found')
  if (isContinued && (status === 400 || status === 410)) return new CursorLost()
  return new ReadProblem('bad_answer', `status ${status}`)
}
