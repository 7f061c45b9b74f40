import { sql } from 'kysely'
import { z } from 'zod'
import type { Viewer } from '../../access/viewer.ts'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { SignInChallenges } from '../../accounts/sign-in/challenges.ts'
import type { AreaContext } from '../../db/context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId, type SecretBox } from '../../lib/crypto.ts'
import { CALENDAR_PROVIDERS, type CalendarProviderName } from '../calendar.ts'
import { sealTokens, tokenLabels, type AccessTokens } from './access-tokens.ts'
import type { AccountProblem, CalendarAccount } from './account.ts'
import type { CalendarApps } from './app-store.ts'
import {
  exchangeCode,
  hasAllScopes,
  revokeRefreshToken,
  startAuthorization,
  type GrantedTokens,
} from './oauth-client.ts'
import { ProviderProblem } from './problems.ts'
import { openProviderApi } from './provider-api.ts'
import type { CalendarApp, ListedCalendar, ProviderApiParts } from './provider.ts'
import { PROVIDERS } from './providers.ts'

export type CalendarAccountParts = Pick<AreaContext, 'db' | 'clock' | 'log'> &
  ProviderApiParts & {
    secretBox: SecretBox
    apps: CalendarApps
    tokens: AccessTokens
    challenges: SignInChallenges
    /** The URL where people open the service. */
    baseUrl(): string
    removeCalendar(id: string, actor: Actor): Promise<void>
    /** Asks the provider to stop its reports about removed calendars of the account. */
    stopSubscriptions(accountId: string, signal: AbortSignal): Promise<void>
    onChanged(): void
  }

/** The answer of a provider, in the URL where it sent the browser. */
export type AuthorizationAnswer = {
  query: Readonly<Record<string, string>>
  browser: string | null
  /** The user who is signed in in this browser. */
  userId: string | null
  ip: string
}

export type FinishedConnection =
  | { outcome: 'connected'; accountId: string }
  | { outcome: 'failed'; problem: AccountProblem }

const CALLBACK_PATH = '/web/calendar-accounts/callback'
const KIND = 'calendar account'
const MAX_ACCOUNTS = 20
/** A person waits for these requests. */
const REQUEST_MS = 30_000
const STOP_MS = 10_000

/** Stored between the start and the answer. */
const Pending = z.object({
  provider: z.enum(CALENDAR_PROVIDERS),
  clientId: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  subject: z.string().nullable(),
})
type Pending = z.output<typeof Pending>

/** The accounts at providers that people connected, so that their calendars can be read. */
export function createCalendarAccounts(parts: CalendarAccountParts) {
  const { db, clock, log, apps, challenges, baseUrl, onChanged } = parts
  const redirectUri = () => `${baseUrl()}${CALLBACK_PATH}`

  const connect = async (
    { provider, subject, ...pending }: Pending,
    userId: string,
    { query, ip }: AuthorizationAnswer,
  ): Promise<FinishedConnection> => {
    const app = await apps.find(provider)
    if (app === null || app.clientId !== pending.clientId) return failed('app_missing')
    const { code } = query
    if (code === undefined) return failed('refused')
    const signal = AbortSignal.timeout(REQUEST_MS)
    const granted = await exchangeCode(parts, app, { code, ...pending }, signal)
    if (!hasAllScopes(app, parts, granted.scopes)) return failed('scope_missing')
    if (granted.refresh === null) return failed('provider_failed')
    const identity = await readIdentity(parts, app, granted, signal)
    // The calendars of one account must not become those of another.
    if (subject !== null && subject !== identity.subject) return failed('other_account')
    const account = { provider, clientId: app.clientId, ...identity }
    const accountId = await storeAccount(parts, { userId, ...account, granted, ip })
    if (accountId === null) return failed('too_many')
    onChanged()
    return { outcome: 'connected', accountId }
  }

  return {
    /** The address that the application must know at the provider. */
    redirectUri,

    /** A person’s connected accounts by address. A service token has none. */
    list: (viewer: Viewer) => listAccounts(db, viewer),

    /** Returns the provider’s page. `accountId`: the account to connect again. */
    async start(
      viewer: Viewer,
      { provider, accountId }: { provider: CalendarProviderName; accountId?: string | undefined },
      browser: string,
    ): Promise<{ url: string }> {
      const userId = requireUser(viewer)
      const app = await apps.find(provider)
      if (app === null) throw new ServiceError('calendar_app_not_found')
      const account = accountId === undefined ? null : await requireAccount(db, viewer, accountId)
      const { state, codeVerifier, url } = startAuthorization(app, parts, {
        redirectUri: redirectUri(),
        address: account?.address ?? null,
      })
      const data: Pending = {
        provider,
        clientId: app.clientId,
        codeVerifier,
        redirectUri: redirectUri(),
        subject: account?.subject ?? null,
      }
      await challenges.create({
        kind: KIND,
        key: state,
        browser,
        userId,
        data: JSON.stringify(data),
      })
      return { url }
    },

    /** Finishes what `start` began, in the same browser and session. */
    async finish(answer: AuthorizationAnswer): Promise<FinishedConnection> {
      const { query, browser, userId } = answer
      const redeemed = await challenges.redeem([KIND], query['state'] ?? '', browser)
      if (redeemed === null || userId === null || redeemed.userId !== userId)
        return failed('sign_in_expired')
      const pending = Pending.parse(JSON.parse(redeemed.data))
      try {
        return await connect(pending, userId, answer)
      } catch (error) {
        if (!(error instanceof ProviderProblem)) throw error
        const { provider } = pending
        log.warn({ provider, problem: error.message }, 'failed to connect a calendar account')
        return failed('provider_failed')
      }
    },

    async listCalendars(viewer: Viewer, id: string): Promise<ListedCalendar[]> {
      const { provider } = await requireAccount(db, viewer, id)
      const api = openProviderApi(parts, id, AbortSignal.timeout(REQUEST_MS))
      try {
        return await PROVIDERS[provider].listCalendars(api)
      } catch (error) {
        if (!(error instanceof ProviderProblem)) throw error
        throw new ServiceError('calendar_unreadable', { text: error.message })
      }
    },

    /** Removes an account with its calendars, and ends the access at the provider if that is possible. */
    async remove(viewer: Viewer, id: string, actor: Actor): Promise<void> {
      const { provider } = await requireAccount(db, viewer, id)
      const calendars = db.selectFrom('calendar').select('id').where('calendar_account_id', '=', id)
      for (const calendar of await calendars.execute())
        await parts.removeCalendar(calendar.id, actor)
      await endAccess(parts, id, provider)
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('calendar_account').where('id', '=', id).execute()
        await appendAudit(tx, clock.now(), actor, 'calendar account removed', id)
      })
      onChanged()
    },
  }
}

export type CalendarAccounts = ReturnType<typeof createCalendarAccounts>

function failed(problem: AccountProblem): FinishedConnection {
  return { outcome: 'failed', problem }
}

function requireUser(viewer: Viewer): string {
  if (viewer.kind === 'user') return viewer.userId
  throw new ServiceError('calendar_account_not_found')
}

function selectAccounts(db: Db) {
  return db
    .selectFrom('calendar_account')
    .leftJoin('calendar_app', 'calendar_app.provider', 'calendar_account.provider')
    .select(['calendar_account.id', 'calendar_account.provider', 'calendar_account.address'])
    .select(['calendar_account.subject', 'calendar_account.connected_at as connectedAt'])
    .select(
      sql<CalendarAccount['state']>`case when calendar_account.refresh_sealed is null
        or calendar_app.client_id is distinct from calendar_account.client_id
        then 'ended' else 'connected' end`.as('state'),
    )
    .select((eb) =>
      eb
        .selectFrom('calendar')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('calendar.calendar_account_id', '=', 'calendar_account.id')
        .as('calendars'),
    )
}

async function listAccounts(db: Db, viewer: Viewer): Promise<CalendarAccount[]> {
  if (viewer.kind !== 'user') return []
  const rows = await selectAccounts(db)
    .where('calendar_account.user_id', '=', viewer.userId)
    .orderBy('calendar_account.address')
    .orderBy('calendar_account.id')
    .execute()
  return rows.map(({ subject: _subject, ...row }) => ({ ...row, calendars: row.calendars ?? 0 }))
}

/** Throws unless the account is the viewer’s. */
export async function requireAccount(db: Db, viewer: Viewer, id: string) {
  const row = await selectAccounts(db)
    .where('calendar_account.id', '=', id)
    .where('calendar_account.user_id', '=', requireUser(viewer))
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('calendar_account_not_found')
  return row
}

function readIdentity(
  parts: ProviderApiParts,
  app: CalendarApp,
  { access }: GrantedTokens,
  signal: AbortSignal,
) {
  const tokens = { get: () => Promise.resolve({ text: access, app }) }
  return PROVIDERS[app.provider].readIdentity(openProviderApi({ ...parts, tokens }, '', signal))
}

type NewAccount = {
  userId: string
  provider: CalendarProviderName
  clientId: string
  subject: string
  address: string
  granted: GrantedTokens
  ip: string
}

/** Returns null if the person has too many accounts, or no longer exists. */
function storeAccount(
  { db, clock, secretBox }: CalendarAccountParts,
  account: NewAccount,
): Promise<string | null> {
  const { userId, provider, subject, granted, ip } = account
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    // Two connections of one person are stored one after the other, so that both are counted.
    const user = await tx
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const rows = await tx
      .selectFrom('calendar_account')
      .select(['id', 'provider', 'subject'])
      .where('user_id', '=', userId)
      .execute()
    const known = rows.find((row) => row.provider === provider && row.subject === subject)
    if (user === undefined || (known === undefined && rows.length >= MAX_ACCOUNTS)) return null
    const id = known?.id ?? newId('cac')
    const columns = {
      client_id: account.clientId,
      address: account.address,
      ...sealTokens(secretBox, id, granted, now),
      connected_at: now,
    }
    if (known === undefined)
      await tx
        .insertInto('calendar_account')
        .values({ id, user_id: userId, provider, subject, ...columns, created_at: now })
        .execute()
    else await reconnect(tx, id, columns, now)
    const actor = { name: `user:${userId}`, ip }
    await appendAudit(tx, now, actor, 'calendar account connected', id)
    return id
  })
}

/** A renewal that still runs stores nothing. The calendars are read again at once, with their rules and plans. */
async function reconnect(tx: Tx, id: string, columns: object, now: Date): Promise<void> {
  await tx
    .updateTable('calendar_account')
    .set({ ...columns, renew_until: null, renew_fence: sql`renew_fence + 1` })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('calendar')
    .set({ failures: 0, broken_since: null, problem: null, next_poll_at: now })
    .where('calendar_account_id', '=', id)
    .execute()
}

/** If the provider does not answer, its reports end by themselves, and the deleted tokens are used by nobody. */
async function endAccess(
  parts: CalendarAccountParts,
  id: string,
  provider: CalendarProviderName,
): Promise<void> {
  const signal = AbortSignal.timeout(STOP_MS)
  const row = await parts.db
    .selectFrom('calendar_account')
    .select('refresh_sealed as sealed')
    .where('id', '=', id)
    .executeTakeFirst()
  const app = await parts.apps.find(provider)
  if (!row?.sealed || app === null) return
  try {
    await parts.stopSubscriptions(id, signal)
    const token = parts.secretBox.open(row.sealed, tokenLabels(id).refresh)
    await revokeRefreshToken(parts, app, token, signal)
  } catch (error) {
    parts.log.warn({ err: error, accountId: id }, 'failed to end the access of a calendar account')
  }
}
