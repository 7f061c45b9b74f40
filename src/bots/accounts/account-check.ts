import type { BotAccount, BotAccounts } from './bot-accounts.ts'
import { SITES } from './sites.ts'
import { signInStatusOf } from './storage-state.ts'

export type AccountCheckResult = { name: string; ok: boolean; detail: string }

/** Checks that the stored state of an account is readable and not expired, without asking the platform. */
export async function checkAccount(
  accounts: Pick<BotAccounts, 'readState'>,
  { name, platform }: Pick<BotAccount, 'name' | 'platform'>,
  now: Date,
): Promise<AccountCheckResult> {
  const state = await accounts.readState(platform, name)
  if (state === null) return { name, ok: false, detail: 'what is stored cannot be read' }
  const { isSignedIn, expiresAt } = signInStatusOf(platform, state, now)
  const mend = `hansard account add ${name} --platform ${platform}`
  if (!isSignedIn) return { name, ok: false, detail: `the sign-in has run out: ${mend}` }
  const until = expiresAt === null ? 'with no end of its own' : `until ${expiresAt.toISOString()}`
  return { name, ok: true, detail: `signed in to ${SITES[platform].title}, ${until}` }
}
