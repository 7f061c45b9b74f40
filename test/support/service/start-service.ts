import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '../../../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { OperatorError } from '../../../src/lib/operator-error.ts'
import { createLog, type Log } from '../../../src/log.ts'
import {
  openService,
  type Service,
  type ServiceLifetime,
  type ServiceOverrides,
} from '../../../src/app/service.ts'
import { HttpClient } from '../http/http-client.ts'
import { ADMIN } from './admin-user.ts'
import { FAST_PASSWORDS } from './fast-passwords.ts'
import { createTestDatabase, requireEnv } from '../database/test-database.ts'

/** The test run has built the console, so a service need not check it again. */
const CONSOLE_FOLDER = join(INSTALLATION_FOLDER, 'dist/console')

/** For tests that call many routes. With so few connections, work that holds one and waits for another never ends. */
export const FEWEST_CONNECTIONS = { HANSARD_DATABASE_POOL: '2' }

/** Only prevents hanging, because most tests do not test an unreachable database. */
const CONNECT_MS = 60_000

export type TestService = Service & {
  databaseUrl: string
  dataFolder: string
  /** A client that is not signed in. */
  anonymousClient(ip?: string): HttpClient
  /** The first user, signed in. */
  adminClient(): Promise<HttpClient>
}

/** Tests fetch nothing from npm. Tests of an installation replace this. */
async function refuseToFetch(): Promise<never> {
  throw new OperatorError('Tests fetch no packages', 'Replace fetchSpeechPackage')
}

/** Tests reach neither Microsoft nor Google. Tests of connections and calendars replace these by servers. */
const NOBODY = { login: 'http://127.0.0.1:1', graph: 'http://127.0.0.1:1' }
const NO_GOOGLE = {
  accounts: NOBODY.login,
  oauth: NOBODY.login,
  meet: NOBODY.login,
  calendar: NOBODY.login,
}
const NO_MICROSOFT = { global: NOBODY, 'us-gov-high': NOBODY, 'us-gov-dod': NOBODY }

/** Data folders of running services, by their database. */
const sharedFolders = new Map<string, { path: string; users: number }>()

/** Nodes with the same database share a data folder, as in real operation. */
function shareDataFolder(databaseUrl: string): Disposable & { path: string } {
  const create = () => mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'data-'))
  const folder = sharedFolders.get(databaseUrl) ?? { path: create(), users: 0 }
  sharedFolders.set(databaseUrl, folder)
  folder.users += 1
  return {
    path: folder.path,
    [Symbol.dispose]() {
      folder.users -= 1
      if (folder.users > 0) return
      sharedFolders.delete(databaseUrl)
      rmSync(folder.path, { recursive: true, force: true })
    },
  }
}

/** Starts a complete service in this process, on a new database and a free port. */
export async function startService(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
  log?: Log,
  lifetime: ServiceLifetime = {},
): Promise<TestService> {
  await using stack = new AsyncDisposableStack()
  const database =
    env['DATABASE_URL'] === undefined
      ? stack.use(await createTestDatabase())
      : { url: env['DATABASE_URL'] }
  const data = env['HANSARD_DATA'] ?? stack.use(shareDataFolder(database.url)).path
  const config = parseConfig({
    env: {
      DATABASE_URL: database.url,
      HANSARD_DATA: data,
      HANSARD_PORT: '0',
      HANSARD_LOG_LEVEL: 'silent',
      // A recap changes the document soon after the end of a meeting. Tests of recaps turn it on.
      HANSARD_RECAP: 'off',
      // Tests reach no website. Tests of the check replace the internet and turn it on.
      HANSARD_REACHABILITY_CHECK: 'off',
      // The test chooses the client address with X-Forwarded-For.
      HANSARD_TRUST_PROXY: '127.0.0.1',
      ...env,
    },
    root: INSTALLATION_FOLDER,
  })
  const service = stack.use(
    await openService(
      config,
      log ?? createLog(config.logLevel),
      {
        passwords: FAST_PASSWORDS,
        consoleFolder: CONSOLE_FOLDER,
        databaseConnectMs: CONNECT_MS,
        fetchSpeechPackage: refuseToFetch,
        microsoftHosts: NO_MICROSOFT,
        googleHosts: NO_GOOGLE,
        ...extras,
      },
      lifetime,
    ),
  )
  const createClient = (ip?: string) => new HttpClient(`http://127.0.0.1:${service.port}`, ip)
  const opened = stack.move()
  return {
    ...service,
    databaseUrl: database.url,
    dataFolder: data,
    anonymousClient: createClient,
    async adminClient() {
      const person = createClient()
      const code = service.setupLink?.split('#')[1]
      await person.post('/web/setup', { ...ADMIN, code })
      return person
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
