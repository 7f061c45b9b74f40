import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AreaContext } from '../../db/context.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { CalendarApps } from './app-store.ts'
import { exchangeRefreshToken, type GrantedTokens } from './oauth-client.ts'
import { ProviderProblem } from './problems.ts'
import type { CalendarApp, ProviderApiParts } from './provider.ts'

type Parts = Pick<AreaContext, 'db' | 'clock' | 'log'> &
  ProviderApiParts & { secretBox: SecretBox; apps: Pick<CalendarApps, 'find'> }

/** Longer than a request to the token endpoint can take. */
const LEASE_SECONDS = 60
const RENEW_BEFORE_MS = 2 * MINUTE_MS
const WAIT_MS = 200
const MAX_WAITS = 50

/** Binds the encrypted tokens to their account and to their use. */
export const tokenLabels = (accountId: string) => ({
  refresh: `calendar-account:${accountId}:refresh`,
  access: `calendar-account:${accountId}:access`,
})

/**
 * Access tokens of connected accounts. They are stored, so that all nodes share one, and only one node at a time renews
 * one: a provider may replace the refresh token, and two renewals could each make the other's token useless.
 */
export function createAccessTokens(parts: Parts) {
  const { db, clock, secretBox } = parts

  const read = (accountId: string) =>
    db
      .selectFrom('calendar_account')
      .select(['provider', 'client_id as clientId', 'refresh_sealed as refreshSealed'])
      .select(['access_sealed as accessSealed', 'access_expires_at as accessExpiresAt'])
      .where('id', '=', accountId)
      .executeTakeFirst()
  /** Claims the right to renew; undefined if another node has it. Uses the clock of the database, which all share. */
  const claim = async (accountId: string): Promise<number | undefined> => {
    const { rows } = await sql<{ fence: number }>`
      update calendar_account set renew_fence = renew_fence + 1,
        renew_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      where id = ${accountId} and (renew_until is null or renew_until < clock_timestamp())
      returning renew_fence as fence`.execute(db)
    return rows[0]?.fence
  }
  const store = (accountId: string, fence: number, columns: TokenColumns) =>
    db
      .updateTable('calendar_account')
      .set({ ...columns, renew_until: null })
      .where('id', '=', accountId)
      .where('renew_fence', '=', fence)
      .execute()

  /** Returns the new token. It is used even if a later renewal has already stored another one. */
  const renew = async (
    accountId: string,
    { app, fence, refreshSealed }: Claimed,
    signal: AbortSignal,
  ): Promise<string> => {
    const refreshToken = secretBox.open(refreshSealed, tokenLabels(accountId).refresh)
    try {
      const granted = await exchangeRefreshToken(parts, app, refreshToken, signal)
      await store(accountId, fence, sealTokens(secretBox, accountId, granted, clock.now()))
      return granted.access
    } catch (error) {
      const hasEnded = error instanceof ProviderProblem && error.code === 'sign_in_needed'
      if (hasEnded) parts.log.info({ accountId }, 'the access to a calendar account has ended')
      await store(accountId, fence, hasEnded ? NO_TOKENS : {})
      throw error
    }
  }

  return {
    /**
     * A token that is valid now, other than `refused`. Throws a `ProviderProblem` if the person has to sign in again or
     * the provider cannot be used.
     */
    async get(
      accountId: string,
      signal: AbortSignal,
      refused: string | null = null,
    ): Promise<{ text: string; app: CalendarApp }> {
      const before = await read(accountId)
      if (before === undefined) throw new Error('a calendar names an account that does not exist')
      const { provider } = before
      const app = await parts.apps.find(provider)
      if (app === null) throw new ProviderProblem(provider, 'app_missing')
      for (let waits = 0; waits < MAX_WAITS; waits += 1) {
        // Read after the claim, because another node may have renewed the token before it.
        const fence = waits === 0 ? undefined : await claim(accountId)
        const row = await read(accountId)
        if (row === undefined || row.refreshSealed === null || row.clientId !== app.clientId)
          throw new ProviderProblem(provider, 'sign_in_needed')
        const { accessSealed, accessExpiresAt, refreshSealed } = row
        const isFresh = (accessExpiresAt?.getTime() ?? 0) > clock.now().getTime() + RENEW_BEFORE_MS
        const text =
          accessSealed === null ? null : secretBox.open(accessSealed, tokenLabels(accountId).access)
        if (text !== null && isFresh && text !== refused) {
          if (fence !== undefined) await store(accountId, fence, {})
          return { text, app }
        }
        if (fence !== undefined)
          return { text: await renew(accountId, { app, fence, refreshSealed }, signal), app }
        if (waits > 0) await sleep(WAIT_MS, undefined, { signal })
      }
      throw new ProviderProblem(provider, 'busy')
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

type Claimed = { app: CalendarApp; fence: number; refreshSealed: Buffer }

type TokenColumns = {
  refresh_sealed?: Buffer | null
  access_sealed?: Buffer | null
  access_expires_at?: Date | null
}

const NO_TOKENS = { refresh_sealed: null, access_sealed: null, access_expires_at: null }

/** The columns of new tokens. Without a new refresh token, the earlier one stays. */
export function sealTokens(
  secretBox: SecretBox,
  accountId: string,
  { access, expiresIn, refresh }: GrantedTokens,
  now: Date,
): TokenColumns {
  const labels = tokenLabels(accountId)
  return {
    access_sealed: secretBox.seal(access, labels.access),
    access_expires_at: new Date(now.getTime() + expiresIn * 1_000),
    ...(refresh !== null && { refresh_sealed: secretBox.seal(refresh, labels.refresh) }),
  }
}
