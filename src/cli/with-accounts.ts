import type { AccountsArea } from '../accounts/area.ts'
import type { Config } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { loadConfig } from '../load-config.ts'
import { createLog } from '../log.ts'

/** Runs a command against the accounts, whether or not the service is running. */
export async function withAccounts<T>(
  work: (area: AccountsArea, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  const log = createLog('error')
  const [{ openStorage }, { createAccountsArea }] = await Promise.all([
    import('../storage.ts'),
    import('../accounts/area.ts'),
  ])
  await using storage = await openStorage(config, log, 'join')
  const { db } = storage.database
  return await work(
    createAccountsArea({ db, clock: systemClock, secretBox: storage.secretBox, log }),
    config,
  )
}
