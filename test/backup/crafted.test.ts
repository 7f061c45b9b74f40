import { strict as assert } from 'node:assert'
import { createWriteStream, existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { createArchiveWriter } from '../../src/operations/backup/archive.ts'
import type { BackupManifest } from '../../src/operations/backup/manifest.ts'
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts'
import { readRestoreMarker } from '../../src/storage/data-folder.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import {
  backUpTo,
  isOperatorError,
  listFiles,
  readAllRows,
  restoreTo,
  writeFileIn,
} from './backup-helpers.ts'

const OWN_FILE = 'deployed-md-files/docs/own/mine.md'
const DOCUMENT = 'files/deployed-md-files/docs/api/x.md'

let scratch: string
let file: string
let manifest: BackupManifest

before(async () => {
  scratch = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'crafted-'))
  file = join(scratch, 'real.tar.gz')
  const source = join(scratch, 'source')
  writeFileIn(source, 'deployed-md-files/docs/api/x.md', '# New')
  writeFileIn(source, 'scheduled-prompts/new.md', '# New')
  await using database = await createTestDatabase()
  await backUpTo(database.url, source, file)
  manifest = (await verifyBackup(file)).manifest
})

/** A backup file with a valid checksum. Anything else in it may be wrong. */
type Crafted = {
  manifest?: object
  entries: ReadonlyArray<[string, string]>
  rows?: Record<string, number>
  files?: number
}

async function craft({ entries, rows = {}, files = 0, ...crafted }: Crafted): Promise<string> {
  const path = join(scratch, 'crafted.tar.gz')
  const archive = createArchiveWriter(createWriteStream(path))
  const text = JSON.stringify({ ...manifest, ...crafted.manifest })
  await archive.add('manifest.json', Buffer.from(text))
  for (const [name, body] of entries) await archive.add(name, Buffer.from(body))
  await archive.finish({ rows, files })
  return path
}

/** An instance in use that shares its database with another program. */
async function createUsedInstance(name: string) {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(`create table invoice (id int);
    insert into invoice values (1);
    insert into app_user (id, email, name, role, password_hash) values ('u', 'u@x', 'u', 'admin', 'x')`)
  await client.end()
  const data = join(scratch, name)
  writeFileIn(data, OWN_FILE, 'mine')
  writeFileIn(data, 'scheduled-prompts/mine.md', 'mine')
  const read = async () => ({ rows: await readAllRows(database.url), files: listFiles(data) })
  return {
    url: database.url,
    data,
    read,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const USER_COLUMNS = ['id', 'email', 'name', 'role', 'password_hash']
const USERS = { tables: [{ name: 'app_user', columns: USER_COLUMNS }] }
const [FIRST_USERS, MORE_USERS] = ['tables/app_user/000001.copy', 'tables/app_user/000002.copy']
const USER = 'n\tn@x\tn\tadmin\tx\n'

const ESCAPING_MEETING = {
  id: 'meeting_1_x',
  platform: 'practice',
  url: 'practice://long',
  room: 'r',
  label: 'x',
  project: 'api',
  callback_url: 'http://127.0.0.1:9/',
  options: '{}',
  status: 'live',
  started_at: '2026-01-01T00:00:00Z',
  document_path: 'deployed-md-files/docs/api/../../../../escaped.md',
}

const CRAFTED: Record<string, [RegExp, () => Crafted]> = {
  'rows of another program’s table': [
    /manifest lists other tables/,
    () => ({
      manifest: { tables: [{ name: 'invoice', columns: ['id'] }] },
      entries: [['tables/invoice/000001.copy', '2\n']],
      rows: { invoice: 1 },
    }),
  ],
  'rows of the migrator': [
    /manifest lists other tables/,
    () => ({
      manifest: { tables: [{ name: 'kysely_migration', columns: ['name', 'timestamp'] }] },
      entries: [['tables/kysely_migration/000001.copy', '9999-x\tx\n']],
      rows: { kysely_migration: 1 },
    }),
  ],
  'a table of a later migration': [
    /manifest lists other tables/,
    () => ({
      manifest: {
        migrations: manifest.migrations.slice(0, 1),
        tables: [{ name: 'meeting', columns: ['id'] }],
      },
      entries: [],
    }),
  ],
  'migrations in another order': [
    /manifest lists other tables/,
    () => ({ manifest: { migrations: manifest.migrations.toReversed(), tables: [] }, entries: [] }),
  ],
  'a table that is listed twice': [
    /manifest lists other tables/,
    () => ({ manifest: { tables: [...USERS.tables, ...USERS.tables] }, entries: [] }),
  ],
  'a column that does not exist': [
    /unexpected column app_user\.nothing/,
    () => ({
      manifest: { tables: [{ name: 'app_user', columns: ['id', 'nothing'] }] },
      entries: [],
    }),
  ],
  'a column that is never backed up': [
    /unexpected column event\.written_by/,
    () => ({
      manifest: { tables: [{ name: 'event', columns: ['meeting_id', 'written_by'] }] },
      entries: [],
    }),
  ],
  'a file twice': [
    /two entries have the name .*x\.md/,
    () => ({
      entries: [
        [DOCUMENT, 'a'],
        [DOCUMENT, 'b'],
      ],
      files: 2,
    }),
  ],
  'rows twice': [
    /two entries have the name tables\/app_user/,
    () => ({
      manifest: USERS,
      entries: [
        [FIRST_USERS, USER],
        [FIRST_USERS, USER],
      ],
      rows: { app_user: 2 },
    }),
  ],
  'a file in the place of a folder': [
    /is both a file and a folder/,
    () => ({
      entries: [
        [DOCUMENT, 'a'],
        [`${DOCUMENT}/b.md`, 'b'],
      ],
      files: 2,
    }),
  ],
  'a folder in the place of a file': [
    /is both a file and a folder/,
    () => ({
      entries: [
        [`${DOCUMENT}/b/c.md`, 'b'],
        [DOCUMENT, 'a'],
      ],
      files: 2,
    }),
  ],
  'more rows than it says': [
    /the number of rows of app_user is wrong/,
    () => ({ manifest: USERS, entries: [[FIRST_USERS, USER]] }),
  ],
  'fewer files than it says': [
    /the number of files is wrong/,
    () => ({ entries: [[DOCUMENT, 'a']], files: 2 }),
  ],
  'a manifest that is too large for memory': [
    /manifest\.json is too large/,
    () => ({ manifest: { version: 'x'.repeat(2_000_000) }, entries: [] }),
  ],
  'a master key of another length': [
    /its master key is not valid/,
    () => ({ manifest: { hasMasterKey: true }, entries: [['master.key', 'c2hvcnQ=']] }),
  ],
  'rows that violate a constraint': [
    /contains invalid rows: duplicate key/,
    () => ({
      manifest: USERS,
      entries: [
        [FIRST_USERS, USER],
        [DOCUMENT, 'a'],
        [MORE_USERS, USER],
      ],
      rows: { app_user: 2 },
      files: 1,
    }),
  ],
  'rows that are not of their table': [
    /contains invalid rows: missing data/,
    () => ({ manifest: USERS, entries: [[FIRST_USERS, 'n\n']], rows: { app_user: 1 } }),
  ],
  'a file name that is too long': [
    /cannot be restored here: .*ENAMETOOLONG/,
    () => ({ entries: [[`files/deployed-md-files/${'x'.repeat(300)}`, 'a']], files: 1 }),
  ],
  'a meeting whose document is outside of the projects': [
    /The document path of the meeting meeting_1_x is not valid/,
    () => ({
      manifest: { tables: [{ name: 'meeting', columns: Object.keys(ESCAPING_MEETING) }] },
      entries: [['tables/meeting/000001.copy', `${Object.values(ESCAPING_MEETING).join('\t')}\n`]],
      rows: { meeting: 1 },
    }),
  ],
}

test('a forced restore of a crafted backup changes neither the old data nor another program’s table', async () => {
  await using used = await createUsedInstance('used')
  const old = await used.read()
  for (const [what, [expected, create]] of Object.entries(CRAFTED)) {
    await assert.rejects(
      restoreTo(used.url, used.data, await craft(create()), true),
      isOperatorError(expected),
      what,
    )
    assert.equal(readRestoreMarker(used.data), null, what)
  }
  assert.deepEqual(await used.read(), old)
  assert.ok(!existsSync(join(used.data, 'restore.part')))
  assert.ok(!existsSync(join(scratch, 'escaped.md')))
  await restoreTo(used.url, used.data, file, true)
  assert.deepEqual((await readAllRows(used.url)).get('app_user'), [])
  assert.deepEqual((await readAllRows(used.url)).get('invoice'), ['{"id": 1}'])
  assert.equal(readFileSync(join(used.data, 'deployed-md-files/docs/api/x.md'), 'utf8'), '# New')
})

test('a forced restore whose folders cannot be switched leaves rows and files as they were', async () => {
  await using used = await createUsedInstance('blocked')
  const now = new Date('2026-11-16T12:00:00.000Z')
  // The first folder can be moved. The name for the second one is taken.
  writeFileIn(used.data, 'scheduled-prompts.before-2026-11-16T12-00-00-000Z/x', '')
  const old = await used.read()
  await assert.rejects(restoreTo(used.url, used.data, file, true, now), /ENOTEMPTY|EEXIST/)
  assert.deepEqual(await used.read(), old)
  assert.equal(readFileSync(join(used.data, OWN_FILE), 'utf8'), 'mine')
  assert.equal(readRestoreMarker(used.data), null)
})

test('a small backup file that expands to an unusual size is refused, unless the operator trusts it', async () => {
  const zeros = Buffer.alloc(1024 * 1024)
  const bomb = join(scratch, 'bomb.tar.gz')
  const archive = createArchiveWriter(createWriteStream(bomb))
  await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
  for (let i = 0; i < 65; i += 1) await archive.add(`${DOCUMENT}${i}`, zeros)
  await archive.finish({ rows: {}, files: 65 })
  await assert.rejects(verifyBackup(bomb), isOperatorError(/expands to more than 64 MB/))
  assert.equal((await verifyBackup(bomb, Infinity)).fileBytes, 65 * zeros.length)

  const plain = gunzipSync(readFileSync(file)).length
  await assert.rejects(verifyBackup(file, plain - 1), isOperatorError(/expands to more than/))
  assert.equal((await verifyBackup(file, plain)).manifest.format, 'hansard-backup')
})

test('a backup that is not a regular file is refused', async () => {
  const folder = join(scratch, 'folder.tar.gz')
  mkdirSync(folder)
  for (const maxBytes of [undefined, Infinity])
    await assert.rejects(
      verifyBackup(folder, maxBytes),
      isOperatorError(/it is not a regular file/),
    )
})

test('names from a backup cannot control the terminal', async () => {
  const crafted = await craft({ entries: [['files/\u001b[2Jx', 'a']] })
  await assert.rejects(
    verifyBackup(crafted),
    isOperatorError(/unexpected entry files\/\\x1b\[2Jx$/),
  )
})
