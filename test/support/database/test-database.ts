import { Client, type PoolConfig } from 'pg'
import { randomBytes } from 'node:crypto'
import { connectToDatabase, type DatabaseHandle } from '../../../src/db/database.ts'
import { migrateDatabase } from '../../../src/db/migrate.ts'
import { createLog } from '../../../src/log.ts'
import { sharedResources } from '../shared-resources.ts'

/** Opens a new database that is a copy of the migrated template. Disposing drops it. */
export async function openTestDatabase(): Promise<
  DatabaseHandle & AsyncDisposable & { url: string }
> {
  const server = requireEnv('TEST_DATABASE_URL')
  const name = await createDatabase(server, requireEnv('TEST_TEMPLATE'))
  const url = urlFor(server, name)
  const database = await connectToDatabase(
    { connectionString: url },
    { max: 4, log: createLog('silent') },
  )
  return {
    ...database,
    url,
    async [Symbol.asyncDispose]() {
      await database.close()
      await dropDatabase(server, name)
    },
  }
}

/** Creates a new database for a service that opens it itself. */
export async function createTestDatabase(
  options: { empty?: boolean } = {},
): Promise<AsyncDisposable & { url: string }> {
  const server = requireEnv('TEST_DATABASE_URL')
  const name = await createDatabase(server, options.empty ? undefined : requireEnv('TEST_TEMPLATE'))
  return {
    url: urlFor(server, name),
    [Symbol.asyncDispose]: () => dropDatabase(server, name),
  }
}

export async function createDatabase(server: string, template?: string): Promise<string> {
  const name = `hansard_test_${randomBytes(6).toString('hex')}`
  // Copies files, because writing every page to the WAL too takes three times as long.
  await runStatement(
    server,
    `create database ${name} template ${template ?? 'template0'} encoding 'UTF8' strategy file_copy`,
  )
  return name
}

/** Creates the migrated database that each test copies. */
export async function createTemplate(server: string): Promise<string> {
  const template = await createDatabase(server)
  const connection = poolConfigFor(server, template)
  const database = await connectToDatabase(connection, { max: 2, log: createLog('error') })
  await migrateDatabase(database.db)
  await database.close()
  return template
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await runStatement(server, `drop database ${name} with (force)`)
}

export function poolConfigFor(server: string, name: string): PoolConfig {
  return { connectionString: urlFor(server, name) }
}

function urlFor(server: string, name: string): string {
  return server.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

let administrator: Promise<Client> | null = null

/** All statements use one connection of this process, because opening one takes longer than most of them. */
async function runStatement(server: string, text: string): Promise<void> {
  administrator ??= connectOnce(server)
  await (await administrator).query(text)
}

async function connectOnce(server: string): Promise<Client> {
  const client = new Client({ connectionString: server })
  await client.connect()
  sharedResources.defer(() => client.end())
  return client
}

export function requireEnv(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests with npm test`)
  return value
}
