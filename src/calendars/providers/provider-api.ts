import type { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import type { ApiRequest, ApiResponse } from '../../network/api-requests.ts'
import type { AccessTokens } from './access-tokens.ts'
import { ProviderProblem, SyncStateLost } from './problems.ts'
import type { CalendarApp, ProviderApi, ProviderApiParts } from './provider.ts'
import { PROVIDERS } from './providers.ts'
import { sendOrExplain } from './send-or-explain.ts'

/** A page of events with long descriptions is a fraction of this. */
const MAX_JSON_BYTES = 10_000_000

type Parts = ProviderApiParts & { tokens: AccessTokens }

/** Opens the API of a provider as a connected account. */
export function openProviderApi(parts: Parts, accountId: string, signal: AbortSignal): ProviderApi {
  const send = async (path: string, init: Omit<ApiRequest, 'maxBytes'>) => {
    const first = await parts.tokens.get(accountId, signal)
    const response = await sendAs(parts, first, path, init, signal)
    if (response.status !== 401) return { app: first.app, response }
    // The token may have been revoked, or the clock of this machine is wrong.
    const renewed = await parts.tokens.get(accountId, signal, first.text)
    const second = await sendAs(parts, renewed, path, init, signal)
    if (second.status === 401) throw new ProviderProblem(renewed.app.provider, 'sign_in_needed')
    return { app: renewed.app, response: second }
  }
  const sendJson = async <Shape extends z.ZodType>(
    path: string,
    init: Omit<ApiRequest, 'maxBytes'>,
    shape: Shape,
    isSync = false,
  ): Promise<z.output<Shape>> => {
    const { app, response } = await send(path, init)
    const body = tryParseJson(response.text)
    if (!isSuccess(response)) throw toProblem(app, response, body, isSync)
    const parsed = shape.safeParse(body)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') || 'of the whole answer'
    throw new ProviderProblem(app.provider, 'bad_answer', `field ${field}`)
  }
  const accept = { accept: 'application/json' }
  const json = (body: object) => ({
    method: 'POST' as const,
    headers: { ...accept, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    readJson: (path, shape, { headers = {}, isSync } = {}) =>
      sendJson(path, { headers: { ...accept, ...headers } }, shape, isSync),
    postJson: (path, body, shape) => sendJson(path, json(body), shape),
    async post(path, body) {
      requireDone(await send(path, json(body)))
    },
    async delete(path) {
      requireDone(await send(path, { method: 'DELETE', headers: accept }))
    },
  }
}

function requireDone({ app, response }: { app: CalendarApp; response: ApiResponse }): void {
  if (isSuccess(response) || response.status === 404) return
  throw toProblem(app, response, tryParseJson(response.text), false)
}

async function sendAs(
  { http, hosts }: ProviderApiParts,
  { text, app }: { text: string; app: CalendarApp },
  path: string,
  init: Omit<ApiRequest, 'maxBytes'>,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const base = PROVIDERS[app.provider].apiBase(app, hosts)
  const url = URL.parse(path, base)
  // Links of a provider stay on its host, because the access token is sent with them.
  if (url === null || !url.href.startsWith(base))
    throw new ProviderProblem(app.provider, 'bad_answer', 'a link')
  const headers = { ...init.headers, authorization: `Bearer ${text}` }
  const request = { ...init, headers, maxBytes: MAX_JSON_BYTES }
  return sendOrExplain(http, app.provider, url.href, request, signal)
}

function isSuccess({ status }: ApiResponse): boolean {
  return status >= 200 && status < 300
}

function toProblem(
  { provider }: CalendarApp,
  { status, retryAfterMs }: ApiResponse,
  body: unknown,
  isSync: boolean,
): Error {
  const own = PROVIDERS[provider].findProblem(status, body)
  if (own === 'sync_lost' && isSync) return new SyncStateLost('the list of changes is too old')
  if (status === 429 || own === 'throttled')
    return new ProviderProblem(provider, 'throttled', undefined, retryAfterMs)
  if (own === 'api_off') return new ProviderProblem(provider, 'api_off')
  if (status === 403) return new ProviderProblem(provider, 'not_allowed')
  if (status === 404 || status === 410) return new ProviderProblem(provider, 'not_found')
  if (status >= 500)
    return new ProviderProblem(provider, 'unavailable', String(status), retryAfterMs)
  return new ProviderProblem(provider, 'bad_answer', `status ${status}`)
}
