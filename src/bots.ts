import { createBotAccounts, type BotAccounts } from './bot-accounts/bot-accounts.ts'
import { renewAccounts } from './bot-accounts/renewing-pool.ts'
import type { Machine } from './browser/find.ts'
import type { BrowserPool } from './browser/seat.ts'
import type { Config } from './config.ts'
import { readOperatorFile } from './data-folder.ts'
import type { Clock } from './lib/clock.ts'
import { once } from './lib/once.ts'
import type { Log } from './log.ts'
import { createGoogleMeet } from './platforms/google-meet/index.ts'
import { createMicrosoftTeams } from './platforms/microsoft-teams/index.ts'
import {
  createTeamsIdentification,
  type TeamsCredentials,
} from './platforms/microsoft-teams/identification.ts'
import { openPageTables } from './platforms/page-tables.ts'
import type { Platform } from './platforms/platform.ts'
import { createPracticePlatform } from './platforms/practice/index.ts'
import type { Storage } from './storage.ts'

/** Where bots can go, and as whom. */
export type Bots = AsyncDisposable & {
  /** Whoever recognises an address first has it. */
  platforms: Platform[]
  accounts: BotAccounts
  tables: ReturnType<typeof openPageTables>
}

type Parts = {
  config: Config
  log: Log
  clock: Clock
  storage: Storage
  machine: Machine
  /** Where the packaged browser is unpacked. */
  cache: string
}

/** What bots need besides a meeting, put together. */
export function openBots({ config, log, clock, storage, machine, cache }: Parts): Bots {
  const { database, secretBox } = storage
  const accounts = createBotAccounts({ db: database.db, clock, secretBox })
  const tables = openPageTables(config.selectorsFile, log)
  const credentials = teamsCredentials(config)
  const identify = createTeamsIdentification({ credentials, clock, log })
  const browsers = whenNeeded(async () => {
    // The driver is large, and a start should not wait for it.
    const { openBrowserPool } = await import('./browser/pool.ts')
    return openBrowserPool({ settings: config, machine, cache, log })
  })
  const pool = renewAccounts(browsers, accounts, log)
  const parts = { pool, openAccount: accounts.open }
  return {
    platforms: [
      createGoogleMeet({ ...parts, table: () => tables.tableOf('google_meet') }),
      createMicrosoftTeams({ ...parts, table: () => tables.tableOf('microsoft_teams'), identify }),
      createPracticePlatform(),
    ],
    accounts,
    tables,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Many an instance sends no bot for days; it needs nothing of the pool until then. */
function whenNeeded(open: () => Promise<BrowserPool>): BrowserPool {
  const pool = once(open)
  return {
    take: async (wishes, signal) => (await pool.get()).take(wishes, signal),
    async [Symbol.asyncDispose]() {
      await (await pool.made())?.[Symbol.asyncDispose]()
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
