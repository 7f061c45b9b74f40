import { z } from 'zod'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import { ReadProblem } from '../problems.ts'
import {
  parseJson,
  requestAccessToken,
  type AccessToken,
  type MicrosoftApp,
} from './access-token.ts'
import { CursorLost, sendRequest } from '../provider.ts'
import type { ApiHttp, ApiResponse } from '../../network/api-requests.ts'

/** The application permissions of a connection, and what each is for. */
export const PERMISSIONS = {
  'User.Read.All': 'finding the organizers by their addresses',
  'OnlineMeetings.Read.All': 'titles of meetings',
  'OnlineMeetingTranscript.Read.All': 'transcripts',
} as const
export type Permission = keyof typeof PERMISSIONS

/** A request, and which permission Microsoft asks for it. `missing`: what a 404 means. */
export type GraphRequest = {
  /** A path below `/v1.0/`, or a link that Graph gave. */
  at: string
  permission: Permission
  missing: 'organizer_not_found' | 'not_found'
  /** True for a list whose link can become too old. */
  isList?: boolean
}

/** Requests to Microsoft Graph as one application. Each throws a `ReadProblem` if there is no usable answer. */
export interface GraphSession {
  /** The access token of this session, which is requested when it is first needed. */
  token(): Promise<AccessToken>
  readJson<Shape extends z.ZodType>(request: GraphRequest, shape: Shape): Promise<z.output<Shape>>
  readText(request: GraphRequest, maxBytes: number): Promise<string>
  /** Returns the body of the answer, or null if there is nothing at this path. */
  write(request: GraphWrite): Promise<string | null>
}

type GraphWrite = { method: 'POST' | 'PATCH' | 'DELETE'; at: string; body?: object }

type RequestParts = Omit<Parameters<typeof sendRequest>[2], 'headers'>

const MAX_JSON_BYTES = 4_000_000
/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 5 * MINUTE_MS

type GraphError = { error: { code: string; message?: string | undefined; innerError?: unknown } }
const GraphErrorShape = z.object({
  error: z.object({
    code: z.string(),
    message: z.string().optional(),
    innerError: z.unknown().optional(),
  }),
})
const InnerError = z.object({ code: z.string() })

export function openGraphSession(
  http: ApiHttp,
  app: MicrosoftApp,
  signal: AbortSignal,
): GraphSession {
  let current: AccessToken | null = null

  const token = async () => {
    const now = http.clock.now().getTime()
    if (current === null || current.expiresAt.getTime() - RENEW_BEFORE_MS <= now)
      current = await requestAccessToken(http, app, signal)
    return current
  }
  const sendOnce = async (url: string, accept: string, parts: RequestParts) => {
    const authorization = `Bearer ${(await token()).text}`
    const type = parts.body === undefined ? {} : { 'content-type': 'application/json' }
    return sendRequest(http, url, { headers: { authorization, accept, ...type }, ...parts }, signal)
  }
  const sendSignedIn = async (at: string, accept: string, parts: RequestParts) => {
    const url = resolveLink(app, at)
    const response = await sendOnce(url, accept, parts)
    if (response.status !== 401) return response
    // The token may have been revoked. If a new one is refused too, the application is.
    current = null
    return sendOnce(url, accept, parts)
  }
  const send = async (request: GraphRequest, accept: string, parts: RequestParts) => {
    const response = await sendSignedIn(request.at, accept, parts)
    if (response.status !== 200) throw toProblem(response, request, current?.permissions ?? null)
    return response.text
  }

  return {
    token,
    async readJson(request, shape) {
      const parsed = shape.safeParse(
        parseJson(await send(request, 'application/json', { maxBytes: MAX_JSON_BYTES })),
      )
      if (parsed.success) return parsed.data
      const [issue] = parsed.error.issues
      throw new ReadProblem('bad_answer', `field ${issue?.path.join('.') || 'of the whole answer'}`)
    },
    readText: (request, maxBytes) =>
      send(request, 'text/vtt', { maxBytes, tooLarge: new ReadProblem('too_large') }),
    async write({ method, at, body }) {
      const content = body === undefined ? {} : { body: JSON.stringify(body) }
      const parts = { method, maxBytes: MAX_JSON_BYTES, ...content }
      const response = await sendSignedIn(at, 'application/json', parts)
      if (response.status === 404) return null
      if (response.status >= 200 && response.status < 300) return response.text
      throw toRefusal(response)
    },
  }
}

/** Links of Graph stay on its host, because the access token is sent with them. */
function resolveLink({ hosts }: MicrosoftApp, at: string): string {
  const base = `${hosts.graph}/v1.0/`
  const url = URL.parse(at, base)
  if (url === null || !url.href.startsWith(base)) throw new ReadProblem('bad_answer', 'a link')
  return url.href
}

function toProblem(
  { status, text, retryAfterMs }: ApiResponse,
  { permission, missing, isList = false }: GraphRequest,
  permissions: readonly string[] | null,
): Error {
  const parsed = GraphErrorShape.safeParse(parseJson(text))
  const error = parsed.success ? parsed.data : null
  if (status === 401) return new ReadProblem('access_revoked')
  if (status === 402) return new ReadProblem('payment_required')
  if (status === 403) return toForbidden(error, permission, permissions)
  if (status === 404) return new ReadProblem(missing)
  if (isList && (status === 410 || isSyncStateLost(error))) return new CursorLost()
  if (status === 410) return new ReadProblem(missing)
  if (status === 429) return new ReadProblem('throttled', null, retryAfterMs)
  if (status >= 500) return new ReadProblem('unavailable', String(status), retryAfterMs)
  return new ReadProblem('bad_answer', `status ${status}`)
}

/** Why a change was refused, for the log: the code of Graph, because its texts differ from time to time. */
function toRefusal({ status, text, retryAfterMs }: ApiResponse): ReadProblem {
  const parsed = GraphErrorShape.safeParse(parseJson(text))
  // Stored and logged, so only characters that are safe for both.
  const code = parsed.success ? ` ${parsed.data.error.code.replaceAll(/[^\w.-]/g, '')}` : ''
  const reason = status === 429 ? 'throttled' : 'bad_answer'
  return new ReadProblem(reason, `status ${status}${code}`.slice(0, 200), retryAfterMs)
}

function isSyncStateLost(error: GraphError | null): boolean {
  return error !== null && /^(?:resyncRequired|syncStateNotFound)$/i.test(error.error.code)
}

const INNER_CODES = {
  GraphAccessToTranscriptsDisabled: 'transcripts_disabled',
  SpeakerAttributionNotAllowed: 'speaker_names_disabled',
} as const

/** The permissions in the token decide, because texts of Graph may change. Without them, its text does. */
function toForbidden(
  error: GraphError | null,
  permission: Permission,
  permissions: readonly string[] | null,
): ReadProblem {
  const inner = InnerError.safeParse(error?.error.innerError)
  const known = INNER_CODES[(inner.data?.code ?? '') as keyof typeof INNER_CODES]
  if (known !== undefined) return new ReadProblem(known)
  const saysPolicy = /application access policy/i.test(error?.error.message ?? '')
  const hasPermission = permissions === null ? saysPolicy : permissions.includes(permission)
  // The policy is about meetings, so without a right to read users the consent is missing.
  return hasPermission && permission !== 'User.Read.All'
    ? new ReadProblem('policy_missing')
    : new ReadProblem('permission_missing', permission)
}
