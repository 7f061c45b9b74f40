import { createBotAccounts, type BotAccounts } from './bot-accounts/bot-accounts.ts'
import type { Config } from './config.ts'
import { readOperatorFile } from './data-folder.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './log.ts'
import { createGoogleMeet } from './platforms/google-meet/index.ts'
import { createMicrosoftTeams } from './platforms/microsoft-teams/index.ts'
import {
  createTeamsIdentification,
  type Identify,
  type TeamsCredentials,
} from './platforms/microsoft-teams/identification.ts'
import { openPageTables } from './platforms/page-tables.ts'
import type { Platform } from './platforms/platform.ts'
import { createPracticePlatform } from './platforms/practice/index.ts'
import type { Storage } from './storage.ts'

/** Where bots can go, and as whom. */
export type Bots = {
  /** Whoever recognises an address first has it. */
  platforms: Platform[]
  accounts: BotAccounts
  tables: ReturnType<typeof openPageTables>
  identify: Identify
}

type Parts = { config: Config; log: Log; clock: Clock; storage: Storage }

/** What bots need besides a meeting, put together. */
export function openBots({ config, log, clock, storage }: Parts): Bots {
  const { database, secretBox } = storage
  const accounts = createBotAccounts({ db: database.db, clock, secretBox })
  const tables = openPageTables(config.selectorsFile, log)
  const credentials = teamsCredentials(config)
  const identify = createTeamsIdentification({ credentials, clock, log })
  const platforms = [createGoogleMeet(), createMicrosoftTeams(), createPracticePlatform()]
  return { platforms, accounts, tables, identify }
}

/** Null when the operator has given none: the settings go together. */
export function teamsCredentials(config: Config): TeamsCredentials | null {
  const { teamsTenant: tenant, teamsClientId: clientId, teamsLoginUrl: loginUrl } = config
  if (tenant === undefined || clientId === undefined) return null
  const { teamsClientSecret: secret, teamsClientSecretFile: file } = config
  const clientSecret = secret ?? readOperatorFile('HANSARD_TEAMS_CLIENT_SECRET_FILE', file ?? '')
  return { tenant, clientId, clientSecret, loginUrl }
}
