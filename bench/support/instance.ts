import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type ServiceOverrides, type Service } from '../../src/app/service.ts'
import { createAccountsArea } from '../../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import type { Config } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createVerifiedSecretBox } from '../../src/accounts/master-key.ts'
import { readOrCreateSecret } from '../../src/storage/data-folder.ts'
import { findRunningDatabaseConnectionSettings } from '../../src/db/embedded/embedded-database.ts'
import { connectToDatabase, type DatabaseHandle } from '../../src/db/database.ts'

export type Instance = Service & {
  data: string
  /** The API key of `call`. */
  key: string
  signingSecret: string
  call: ApiCall
  /** Returns the complete text of a response. */
  read(path: string): Promise<string>
}
export type ApiCall = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

/** Starts a complete service in this process with a new embedded database, and creates an API key. */
export async function openInstance(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
): Promise<Instance> {
  await using stack = new AsyncDisposableStack()
  const data = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
  stack.defer(() => rmSync(data, { recursive: true, force: true }))
  const settings = {
    HANSARD_DATA: data,
    HANSARD_PORT: '0',
    HANSARD_RATE_LIMIT: 'off',
    HANSARD_LOG_LEVEL: 'error',
    ...env,
  }
  const config = parseConfig({ env: settings, root: INSTALLATION_FOLDER })
  const service = stack.use(await openService(config, createLog(config.logLevel), extras))
  const { apiKey, signingSecret } = await createToken(config)
  const call: ApiCall = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const read = async (path: string) => {
    const url = `http://127.0.0.1:${service.port}${path}`
    return (await fetch(url, { headers: { 'x-api-key': apiKey } })).text()
  }
  const opened = stack.move()
  return {
    ...service,
    data,
    key: apiKey,
    signingSecret,
    call,
    read,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function createToken(config: Config) {
  const log = createLog('error')
  await using database = await openInstanceDatabase(config.data)
  const { db } = database
  const secretBox = await createVerifiedSecretBox(db, readMasterKey(config.data))
  const { tokens } = createAccountsArea({ db, clock: systemClock, secretBox, log })
  const wanted = { name: 'bench', scopes: null, expiresAt: null, creatorId: null }
  return await tokens.create(wanted, COMMAND_LINE_ACTOR)
}

/** An instance encrypts its secrets with this key. */
export function readMasterKey(data: string): Buffer {
  return Buffer.from(readFileSync(join(data, 'secrets', 'master.key'), 'utf8'), 'base64')
}

/** Opens additional connections to the database of an instance. */
export async function openInstanceDatabase(
  data: string,
): Promise<DatabaseHandle & AsyncDisposable> {
  const address = findRunningDatabaseConnectionSettings(data, readOrCreateSecret)
  if (address === null) throw new Error('the instance has no database')
  const database = await connectToDatabase(address, { max: 4, log: createLog('error') })
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
