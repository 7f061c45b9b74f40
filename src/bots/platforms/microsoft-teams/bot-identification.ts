import { z } from 'zod'
import { errorCode } from '../../../lib/error-code.ts'
import { type Clock, systemTimers, type Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { MeetingLink } from '../platform.ts'

/** Credentials of the bot's registration in a Microsoft tenant. */
export type TeamsCredentials = {
  tenant: string
  clientId: string
  clientSecret: string
  /** Base URL of the token endpoint: https://login.microsoftonline.com */
  loginUrl: string
}

/** The token that identifies the bot to Teams; null for a guest. `problem` says why a configured token is missing. */
export type TeamsBotTokenResult = { token: string | null; problem: string | null }
export type LoadTeamsBotToken = (link: MeetingLink) => Promise<TeamsBotTokenResult>

const UNIDENTIFIED: TeamsBotTokenResult = { token: null, problem: null }

const SCOPE = 'https://ic3.teams.office.com/.default'
const ANSWER = z.object({
  access_token: z.string().regex(/^[\w.~+/=-]{1,16384}$/),
  expires_in: z.number().positive(),
})
const REFUSAL = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) })

const TIMEOUT_MS = 10_000
/** The pauses before the second and the third token request. */
const RETRY_DELAYS_MS = [500, 2_000]
/** A token is renewed if it is valid for less than this time, because a join may take that long. */
const RENEW_BEFORE_MS = 5 * 60_000
/** No new request is made for this time after a failed one. */
const RETRY_AFTER_FAILURE_MS = 60_000
/** A token is used for at most a day, even if its lifetime is longer. */
const MAX_TOKEN_AGE_MS = 24 * 60 * 60_000
/** The token is sent only to these hosts, because any other host could misuse it. */
const HOSTS =
  /^(?:teams\.microsoft\.com|teams\.cloud\.microsoft|teams\.live\.com|[a-z0-9]+\.teams\.microsoft\.us)$/

type Parts = { credentials: TeamsCredentials | null; clock: Clock; log: Log; timers?: Timers }

/** All visits of this node share one token. It is requested on first use and renewed before it expires. */
export function createTeamsBotTokenLoader(parts: Parts): LoadTeamsBotToken {
  const { credentials, clock, log, timers = systemTimers } = parts
  if (credentials === null) return async () => UNIDENTIFIED
  let token: { text: string; endsAt: number } | null = null
  let fetching: Promise<void> | null = null
  let retryAt = 0
  let problem: string | null = null

  const left = () => (token === null ? 0 : token.endsAt - clock.now().getTime())
  const renew = async () => {
    const outcome = await fetchToken(credentials, timers)
    const now = clock.now().getTime()
    if ('problem' in outcome) {
      retryAt = now + RETRY_AFTER_FAILURE_MS
      problem = outcome.problem
      log.warn({ problem }, 'failed to identify the Teams bot, so bots join as guests')
    } else {
      problem = null
      token = { text: outcome.text, endsAt: now + outcome.lifeMs }
    }
  }
  return async ({ url }) => {
    if (!isForTeams(url)) return UNIDENTIFIED
    if (left() < RENEW_BEFORE_MS && (fetching !== null || clock.now().getTime() >= retryAt)) {
      fetching ??= renew().finally(() => {
        fetching = null
      })
      await fetching
    }
    return token !== null && left() > 0
      ? { token: token.text, problem: null }
      : { token: null, problem }
  }
}

function isForTeams(link: string): boolean {
  const url = URL.parse(link)
  return url !== null && url.protocol === 'https:' && HOSTS.test(url.hostname)
}

type TokenResult = { text: string; lifeMs: number } | { problem: string; isTransient: boolean }

/** Requests a token and retries transient failures. The problem text contains nothing that was sent or received. */
async function fetchToken(credentials: TeamsCredentials, timers: Timers): Promise<TokenResult> {
  for (const pauseMs of [...RETRY_DELAYS_MS, null]) {
    const outcome = await requestToken(credentials)
    if ('text' in outcome || !outcome.isTransient || pauseMs === null) return outcome
    await new Promise<void>((resolve) => void timers.after(pauseMs, resolve))
  }
  throw new Error('the last try has no pause')
}

async function requestToken(credentials: TeamsCredentials): Promise<TokenResult> {
  const { tenant, clientId, clientSecret, loginUrl } = credentials
  let answer: Response
  let body: unknown
  try {
    answer = await fetch(new URL(`/${encodeURIComponent(tenant)}/oauth2/v2.0/token`, loginUrl), {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: SCOPE,
      }),
    })
    body = await answer.json()
  } catch (error) {
    if (error instanceof SyntaxError)
      return { problem: 'the answer is not JSON', isTransient: true }
    return { problem: `no answer (${describeFailure(error)})`, isTransient: true }
  }
  if (!answer.ok) {
    const refusal = REFUSAL.safeParse(body)
    const why = refusal.success ? `, ${refusal.data.error}` : ''
    const isTransient = answer.status >= 500 || answer.status === 429
    return { problem: `answered ${answer.status}${why}`, isTransient }
  }
  const token = ANSWER.safeParse(body)
  if (!token.success) return { problem: 'the answer holds no token', isTransient: false }
  const { access_token: text, expires_in: seconds } = token.data
  return { text, lifeMs: Math.min(seconds * 1000, MAX_TOKEN_AGE_MS) }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return errorCode(error.cause) || errorCode(error) || error.name
}
