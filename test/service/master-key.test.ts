import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { OperatorError, PermanentError } from '../../src/lib/operator-error.ts'
import { openDataFolder } from '../../src/storage/data-folder.ts'
import {
  openSecretBox,
  readOrCreateMasterKey,
  writeRestoredMasterKey,
} from '../../src/storage/master-key-file.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'

const KEY_FILE = 'secrets/master.key'

test('no master key is created for a database that was used with another one', async () => {
  await using database = await openTestDatabase()
  using first = createFolder()
  await openSecretBox(database.db, first.config, first.folder)
  const sealed = readFileSync(join(first.folder.root, KEY_FILE), 'utf8')

  using second = createFolder()
  for (const open of [openSecretBox, readOrCreateMasterKey]) {
    await assert.rejects(open(database.db, second.config, second.folder), (error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /The master key of this database is missing/)
      assert.match(error.fix ?? '', /HANSARD_MASTER_KEY/)
      return true
    })
    assert.deepEqual(readdirSync(second.folder.secrets), [])
  }
  writeFileSync(join(second.folder.root, KEY_FILE), sealed)
  await openSecretBox(database.db, second.config, second.folder)
})

test('a master key file with other content than a key is refused and stays as it is', async () => {
  await using database = await openTestDatabase()
  using target = createFolder()
  await openSecretBox(database.db, target.config, target.folder)
  const path = join(target.folder.root, KEY_FILE)
  const right = readFileSync(path, 'utf8')
  for (const broken of ['', 'not a key\n', right.slice(0, 20)]) {
    writeFileSync(path, broken)
    await assert.rejects(openSecretBox(database.db, target.config, target.folder), (error) => {
      assert.ok(error instanceof PermanentError)
      assert.equal(error.message, `${path} does not contain 32 bytes in base64`)
      return true
    })
    assert.equal(readFileSync(path, 'utf8'), broken)
  }
})

test('a master key that is not the database’s is refused', async () => {
  await using database = await openTestDatabase()
  using target = createFolder()
  await openSecretBox(database.db, target.config, target.folder)
  const other = randomBytes(32).toString('base64')
  const refused = (config: typeof target.config) =>
    assert.rejects(openSecretBox(database.db, config, target.folder), (error) => {
      assert.ok(error instanceof PermanentError)
      return error.message === 'The master key does not belong to this database'
    })
  const env = { HANSARD_DATA: target.folder.root, HANSARD_MASTER_KEY: other }
  await refused(parseConfig({ env, root: INSTALLATION_FOLDER }))
  writeFileSync(join(target.folder.root, KEY_FILE), `${other}\n`)
  await refused(target.config)
})

test('of two nodes that start together on a new database only one creates a master key', async () => {
  await using database = await openTestDatabase()
  using first = createFolder()
  using second = createFolder()
  const outcomes = await Promise.allSettled(
    [first, second].map(({ config, folder }) => openSecretBox(database.db, config, folder)),
  )
  const kept = [first, second].map(({ folder }) => existsSync(join(folder.root, KEY_FILE)))
  assert.deepEqual(
    kept,
    outcomes.map(({ status }) => status === 'fulfilled'),
  )
  assert.equal(kept.filter(Boolean).length, 1)
})

test('the master key of a backup replaces another one, which stays under another name', () => {
  using target = createFolder()
  const { secrets } = target.folder
  const now = new Date('2026-11-16T12:00:00Z')
  writeRestoredMasterKey(target.folder, 'first', now)
  writeRestoredMasterKey(target.folder, 'first', now)
  assert.deepEqual(readdirSync(secrets), ['master.key'])
  writeRestoredMasterKey(target.folder, 'second', now)
  assert.equal(readFileSync(join(secrets, 'master.key'), 'utf8'), 'second\n')
  const kept = join(secrets, 'master.key.before-2026-11-16T12-00-00-000Z')
  assert.equal(readFileSync(kept, 'utf8'), 'first\n')
})

function createFolder() {
  const data = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'key-'))
  return {
    config: parseConfig({ env: { HANSARD_DATA: data }, root: INSTALLATION_FOLDER }),
    folder: openDataFolder(data),
    [Symbol.dispose]: () => rmSync(data, { recursive: true, force: true }),
  }
}
