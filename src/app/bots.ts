import { createBotAccounts, type BotAccounts } from '../bots/accounts/bot-accounts.ts'
import { withAccountRefresh } from '../bots/accounts/account-refresh-pool.ts'
import type { HostEnvironment } from '../bots/browser/launch/find-browser.ts'
import type { BrowserPool } from '../bots/browser/pool/browser-slot.ts'
import type { Config } from '../config/config.ts'
import { readOperatorFile } from '../storage/data-folder.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createLazy } from '../lib/async/lazy.ts'
import type { Log } from '../log.ts'
import { createGoogleMeet } from '../bots/platforms/google-meet/google-meet.ts'
import { createMicrosoftTeams } from '../bots/platforms/microsoft-teams/microsoft-teams.ts'
import {
  createTeamsIdentification,
  type TeamsCredentials,
} from '../bots/platforms/microsoft-teams/bot-identification.ts'
import { openPageModels } from '../bots/platforms/page-models.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import { createPracticePlatform } from '../bots/platforms/practice/practice-platform.ts'
import type { InstanceStorage } from '../storage/open-storage.ts'

/** Where bots can go, and as whom. */
export type Bots = AsyncDisposable & {
  /** Whoever recognises an address first has it. */
  platforms: Platform[]
  accounts: BotAccounts
  pageTables: ReturnType<typeof openPageModels>
}

type Parts = {
  config: Config
  log: Log
  clock: Clock
  storage: InstanceStorage
  machine: HostEnvironment
  /** Where the packaged browser is unpacked. */
  cache: string
}

/** What bots need besides a meeting, put together. */
export function openBots({ config, log, clock, storage, machine, cache }: Parts): Bots {
  const { database, secretBox } = storage
  const accounts = createBotAccounts({ db: database.db, clock, secretBox })
  const tables = openPageModels(config.selectorsFile, log)
  const credentials = teamsCredentials(config)
  const identify = createTeamsIdentification({ credentials, clock, log })
  const browsers = openPoolLazily(async () => {
    // The driver is large, and a start should not wait for it.
    const { openBrowserPool } = await import('../bots/browser/pool/browser-pool.ts')
    return openBrowserPool({ settings: config, host: machine, cache, log })
  })
  const pool = withAccountRefresh(browsers, accounts, log)
  const parts = { pool, openAccount: accounts.loadState }
  return {
    platforms: [
      createGoogleMeet({ ...parts, pageModel: () => tables.modelFor('google_meet') }),
      createMicrosoftTeams({
        ...parts,
        pageModel: () => tables.modelFor('microsoft_teams'),
        identify,
      }),
      createPracticePlatform(),
    ],
    accounts,
    pageTables: tables,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Many an instance sends no bot for days; it needs nothing of the pool until then. */
function openPoolLazily(open: () => Promise<BrowserPool>): BrowserPool {
  const pool = createLazy(open)
  return {
    acquire: async (wishes, signal) => (await pool.get()).acquire(wishes, signal),
    async [Symbol.asyncDispose]() {
      await (await pool.peek())?.[Symbol.asyncDispose]()
    },
  }
}

/** Null when the operator has given none: the settings go together. */
function teamsCredentials(config: Config): TeamsCredentials | null {
  const { teamsTenant: tenant, teamsClientId: clientId, teamsLoginUrl: loginUrl } = config
  if (tenant === undefined || clientId === undefined) return null
  const { teamsClientSecret: secret, teamsClientSecretFile: file = '' } = config
  const clientSecret = secret ?? readOperatorFile('HANSARD_TEAMS_CLIENT_SECRET_FILE', file)
  return { tenant, clientId, clientSecret, loginUrl }
}
