import { z } from 'zod'
import type { StorageState } from '../browser/pool/browser-slot.ts'
import type { BotAccount, BotAccounts } from './bot-accounts.ts'
import { SIGN_IN_SITE_BY_PLATFORM, type AccountPlatformName } from './sites.ts'

/** The longest accepted browser state, as JSON text. The state of a signed-in browser is far shorter. */
export const MAX_STORAGE_STATE_CHARS = 4 * 1024 * 1024
const MAX_COOKIES = 1_000

type AccountCheckResult = { name: string; ok: boolean; detail: string }

const CookieSchema = z.object({
  name: z.string().max(4_096),
  value: z.string().max(16_384),
  domain: z.string().min(1).max(255),
  path: z.string().max(4_096).default('/'),
  /** Seconds since 1970; -1 for a session cookie. */
  expires: z.number().default(-1),
  httpOnly: z.boolean().default(false),
  secure: z.boolean().default(false),
  sameSite: z.enum(['Strict', 'Lax', 'None']).default('Lax'),
})
const StateSchema = z.object({
  cookies: z.array(CookieSchema).max(MAX_COOKIES),
  origins: z
    .array(
      z.object({
        origin: z.url(),
        localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      }),
    )
    .default([]),
})

/** A valid browser state, or the problem, which never quotes a value of the state. */
export type StorageStateParseResult =
  | { isValid: true; state: StorageState }
  | { isValid: false; problem: string }

/**
 * Validates a browser state and drops all cookies and local storage that do not belong to the platform, because a
 * person's browser is signed in to other sites too.
 */
export function validateAndFilterStorageState(
  platform: AccountPlatformName,
  given: unknown,
): StorageStateParseResult {
  const parsed = StateSchema.safeParse(given)
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => path.map(String).join('.') || 'the file')
    const problem = `It is not a Playwright storage state (${places.slice(0, 3).join(', ')})`
    return { isValid: false, problem }
  }
  const { cookies, origins } = parsed.data
  const state = {
    cookies: cookies.filter(({ domain }) => belongsToPlatform(platform, domain.replace(/^\./, ''))),
    origins: origins.filter(({ origin }) => belongsToPlatform(platform, new URL(origin).hostname)),
  }
  if (state.cookies.length > 0) return { isValid: true, state }
  return {
    isValid: false,
    problem: `It has no cookie of ${SIGN_IN_SITE_BY_PLATFORM[platform].title}`,
  }
}

/** Parses and validates a browser state from JSON text, for example from a file. */
export function parseStorageState(
  platform: AccountPlatformName,
  text: string,
): StorageStateParseResult {
  if (text.length > MAX_STORAGE_STATE_CHARS) return { isValid: false, problem: 'It is too large' }
  try {
    return validateAndFilterStorageState(platform, JSON.parse(text))
  } catch (error) {
    // The parser's own message quotes the text, which is secret, so it is not shown.
    if (error instanceof SyntaxError) return { isValid: false, problem: 'It is not JSON' }
    throw error
  }
}

export type SignInStatus = {
  /** True if the state has a sign-in cookie of the platform that has not expired. */
  isSignedIn: boolean
  /** When the last sign-in cookie expires; null if there is none, or if one never expires. */
  expiresAt: Date | null
}

/** Judges by the cookies whether a browser state is signed in, without asking the platform. */
export function signInStatusOf(
  platform: AccountPlatformName,
  state: StorageState,
  now: Date,
): SignInStatus {
  const signs = state.cookies
    .filter(({ name }) => SIGN_IN_SITE_BY_PLATFORM[platform].signInCookies.includes(name))
    .filter(({ expires }) => expires < 0 || expires * 1000 > now.getTime())
  const ends = signs.map(({ expires }) => expires)
  const last = Math.max(...ends)
  const isOpen = ends.length === 0 || ends.some((end) => end < 0)
  return { isSignedIn: signs.length > 0, expiresAt: isOpen ? null : new Date(last * 1000) }
}

function belongsToPlatform(platform: AccountPlatformName, host: string): boolean {
  const name = host.toLowerCase()
  return SIGN_IN_SITE_BY_PLATFORM[platform].domains.some(
    (domain) => name === domain || name.endsWith(`.${domain}`),
  )
}

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
