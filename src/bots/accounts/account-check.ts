import type { BotAccount, BotAccounts } from './bot-accounts.ts'
import { SIGN_IN_SITE_BY_PLATFORM } from './sites.ts'
import { signInStatusOf } from './storage-state.ts'

export type AccountCheckResult = { name: string; ok: boolean; detail: string }

/** Checks that the stored state of an account is readable and not expired, without asking the platform. */
export async function checkStoredSignInCookies(
  accounts: Pick<BotAccounts, 'readState'>,
  { name, platform }: Pick<BotAccount, 'name' | 'platform'>,
  now: Date,
): Promise<AccountCheckResult> {
  const state = await accounts.readState(platform, name)
  if (state === null) return { name, ok: false, detail: 'the stored state cannot be read' }
  const { isSignedIn, expiresAt } = signInStatusOf(platform, state, now)
  const fix = `hansard account add ${name} --platform ${platform}`
  if (!isSignedIn) return { name, ok: false, detail: `the sign-in has expired. Run ${fix}` }
  const until = expiresAt === null ? 'without an expiry date' : `until ${expiresAt.toISOString()}`
  return {
    name,
    ok: true,
    detail: `signed in to ${SIGN_IN_SITE_BY_PLATFORM[platform].title}, ${until}`,
  }
}
