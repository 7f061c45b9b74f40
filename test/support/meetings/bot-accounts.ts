import { COMMAND_LINE_ACTOR } from '../../../src/accounts/audit.ts'
import { createBotAccounts, type BotAccounts } from '../../../src/bots/accounts/bot-accounts.ts'
import type { AccountPlatformName } from '../../../src/bots/accounts/sites.ts'
import type { StorageState } from '../../../src/bots/browser/pool/browser-slot.ts'
import { connectToDatabase } from '../../../src/db/database.ts'
import { createSecretBox } from '../../../src/lib/crypto.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { createLog } from '../../../src/log.ts'
import { MASTER_KEY } from '../service/start-nodes.ts'

/** The browser storage of a signed-in account. `secret` is the value of the cookie. */
export function signedInState(platform: AccountPlatformName, secret: string): StorageState {
  const [name, domain] =
    platform === 'google_meet'
      ? ['SID', '.google.com']
      : ['ESTSAUTHPERSISTENT', '.login.microsoftonline.com']
  const cookie = { path: '/', httpOnly: true, secure: true, sameSite: 'None' as const }
  const expires = Math.round(Date.now() / 1000) + 86_400
  return { cookies: [{ name, value: secret, domain, expires, ...cookie }], origins: [] }
}

export type TestBotAccounts = AsyncDisposable & {
  accounts: BotAccounts
  addGoogle(name: string, limit?: number): Promise<void>
}

/** The bot accounts of an instance with the tests' master key. */
export async function openBotAccounts(databaseUrl: string): Promise<TestBotAccounts> {
  const database = await connectToDatabase(
    { connectionString: databaseUrl },
    { max: 2, log: createLog('silent') },
  )
  const secretBox = createSecretBox(Buffer.from(MASTER_KEY, 'base64'))
  const accounts = createBotAccounts({ db: database.db, clock: systemClock, secretBox })
  return {
    accounts,
    async addGoogle(name, limit) {
      const platform = 'google_meet'
      const state = signedInState(platform, `secret of ${name}`)
      await accounts.add({ name, platform, limit, state }, COMMAND_LINE_ACTOR)
    },
    [Symbol.asyncDispose]: () => database.close(),
  }
}
