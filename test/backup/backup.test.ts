import { strict as assert } from 'node:assert'
import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createArchiveWriter } from '../../src/operations/backup/archive.ts'
import { exportInstance } from '../../src/operations/backup/export.ts'
import { verifyBackup } from '../../src/operations/backup/verify-backup.ts'
import { readRestoreMarker } from '../../src/storage/data-folder.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { eventually } from '../support/time/eventually.ts'
import type { TestService } from '../support/service/start-service.ts'
import {
  backUpTo,
  listFiles,
  writeFileIn,
  isOperatorError,
  restoreTo,
  readAllRows,
} from './backup-helpers.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const SKIPPED_PATH = 'deployed-md-files/docs/api/out'
let root: string
let service: TestService
let program: Awaited<ReturnType<typeof openMeetingsClient>>
let scratch: string
let file: string
let skipped: string[]
let endedMeetingId: string

before(async () => {
  scratch = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'backup-'))
  root = join(scratch, 'data')
  service = await startService({ HANSARD_DATA: root, HANSARD_MASTER_KEY: MASTER_KEY })
  program = await openMeetingsClient(service)
  endedMeetingId = await program.start('practice://standup?speed=1000', {
    title: 'Über / all: "x"',
  })
  await program.start('practice://long?speed=20', { title: 'Active' })
  await program.waitForStatus(endedMeetingId)
  // Right after its end the segments are indexed for search once more.
  await eventually(async () => {
    const meetings = (await readAllRows(service.databaseUrl)).get('meeting') ?? []
    const ended = meetings.find((row) => row.includes(endedMeetingId))
    return ended?.includes('"words_version": 1') === true ? true : null
  })
  const decision = { kind: 'decision', text: 'Blue it is', segmentNumbers: [1] }
  await program.ask('POST', `/meetings/${endedMeetingId}/recap/items`, decision)
  await program.ask('POST', `/meetings/${endedMeetingId}/recap`)
  await eventually(async () => {
    const { body } = await program.get(`/${endedMeetingId}/recap`)
    return body['documentState'] === 'written' ? true : null
  })
  const comment = { segmentNumber: 1, text: 'Ask Ben' }
  await program.ask('POST', `/meetings/${endedMeetingId}/comments`, comment)
  writeFileIn(root, 'deployed-md-files/docs/api/notes/Grüße.txt', 'by hand\n')
  writeFileIn(root, 'deployed-md-files/docs/big/blob.bin', 'x'.repeat(3_000_000))
  writeFileIn(root, 'scheduled-prompts/weekly.md', '# Weekly')
  writeFileIn(root, 'deployed-md-files/docs/api/empty.md', '')
  writeFileIn(scratch, 'outside/secret.txt', 'not to be seen')
  symlinkSync(join(scratch, 'outside'), join(root, SKIPPED_PATH))
  file = join(scratch, 'one.tar.gz')
  skipped = await backUpTo(service.databaseUrl, root, file)
})
after(() => service[Symbol.asyncDispose]())

test('a backup made during a meeting restores every row and every file', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const data = join(scratch, 'restored')
  assert.deepEqual(skipped, [SKIPPED_PATH])
  const done = await restoreTo(empty.url, data, file)
  assert.ok((done.rows['segment'] ?? 0) > 0 && (done.rows['event'] ?? 0) > 0)
  assert.equal(done.rows['meeting'], 2)
  assert.equal(readRestoreMarker(data), null)

  const first = await readAllRows(empty.url)
  assert.deepEqual(
    Object.entries(done.rows).map(([name, count]) => [name, count]),
    [...first].map(([name, rows]) => [name, rows.length]).toSorted(byOrderOf(done.rows)),
  )
  const original = await readAllRows(service.databaseUrl)
  for (const name of ['api_token', 'app_user', 'instance', 'session', 'invitation']) {
    assert.deepEqual(first.get(name), original.get(name), name)
  }
  const ofMeeting = [
    'meeting',
    'segment',
    'event',
    'participant',
    'insight',
    'recap',
    'action_item',
    'recap_item',
    'line_comment',
  ]
  for (const name of ofMeeting) {
    const [then, now] = [first, original].map((all) =>
      all.get(name)?.filter((row) => row.includes(endedMeetingId)),
    )
    assert.ok(then !== undefined && then.length > 0, name)
    assert.deepEqual(then, now, name)
  }

  const restoredFiles = listFiles(join(data, 'deployed-md-files'))
  const originalFiles = listFiles(join(root, 'deployed-md-files'))
  assert.deepEqual(
    restoredFiles,
    originalFiles.filter((path) => !path.endsWith('secret.txt')),
  )
  for (const path of restoredFiles.filter((path) => !path.includes('Active'))) {
    const [from, to] = [root, data].map((at) => join(at, 'deployed-md-files', path))
    assert.ok(readFileSync(to ?? '').equals(readFileSync(from ?? '')), path)
    const [written, restored] = [from, to].map((path) => statSync(path ?? '').mtimeMs / 1000)
    assert.equal(Math.trunc(restored ?? 0), Math.trunc(written ?? 1), path)
  }
  assert.equal(readFileSync(join(data, 'scheduled-prompts/weekly.md'), 'utf8'), '# Weekly')
  assert.deepEqual(readdirSync(data).toSorted(), ['deployed-md-files', 'scheduled-prompts'])

  await checkRestoredService(empty.url, data)
})

function byOrderOf(rows: Record<string, number>) {
  const order = Object.keys(rows)
  return (a: (string | number)[], b: (string | number)[]) =>
    order.indexOf(String(a[0])) - order.indexOf(String(b[0]))
}

/** Checks that a service on the restored storage accepts the old API key and resumes the meeting until it ends. */
async function checkRestoredService(url: string, data: string): Promise<void> {
  await using restored = await startService({
    DATABASE_URL: url,
    HANSARD_DATA: data,
    HANSARD_MASTER_KEY: MASTER_KEY,
  })
  const base = `http://127.0.0.1:${restored.port}/api/v1/meetings`
  const ask = async (path: string, init: RequestInit = {}) =>
    fetch(`${base}${path}`, {
      ...init,
      headers: { ...program.key, 'content-type': 'application/json' },
    })
  const { meetings } = (await (await ask('/status')).json()) as {
    meetings: { meetingId: string }[]
  }
  const [{ meetingId } = { meetingId: '' }] = meetings
  assert.equal(meetings.length, 1)
  const body = JSON.stringify({ meetingId })
  await ask('/stop', { method: 'POST', body })
  await eventually(async () => {
    const { meeting } = (await (await ask(`/${meetingId}`)).json()) as {
      meeting: { status: string }
    }
    return meeting.status === 'ended' ? true : null
  })
  const transcript = await (await ask(`/${meetingId}/transcript?format=md`)).text()
  const document = await (await ask(`/${meetingId}/document`)).text()
  assert.ok(document.endsWith(transcript.slice(transcript.indexOf('\n'))))
}

test('a restore replaces existing data only when forced', async () => {
  await using used = await createTestDatabase()
  const data = join(scratch, 'used')
  writeFileIn(data, 'deployed-md-files/docs/own/mine.md', 'mine')
  await assert.rejects(restoreTo(used.url, data, file), isOperatorError(/data folder is not empty/))
  const client = new Client({ connectionString: used.url })
  await client.connect()
  await client.query(`insert into app_user (id, email, name, role, password_hash)
    values ('u', 'u@x', 'u', 'admin', 'x')`)
  await assert.rejects(
    restoreTo(used.url, data, file),
    isOperatorError(/database is not empty.*app_user/),
  )
  assert.equal(readRestoreMarker(data), null)
  await restoreTo(used.url, data, file, true)
  const { rows } = await client.query(`select id from app_user where id = 'u'`)
  assert.deepEqual(rows, [])
  await client.end()
  assert.ok(!existsSync(join(data, 'deployed-md-files/docs/own')))
  const aside = readdirSync(data).find((name) => name.startsWith('deployed-md-files.before')) ?? ''
  assert.equal(readFileSync(join(data, aside, 'docs/own/mine.md'), 'utf8'), 'mine')
})

test('a restore into a database that a running service uses is refused', async () => {
  await assert.rejects(
    restoreTo(service.databaseUrl, join(scratch, 'busy'), file, true),
    isOperatorError(/Other nodes use this database/),
  )
})

test('a damaged, unknown or newer backup file is refused before anything is changed', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const data = join(scratch, 'refused')
  const whole = readFileSync(file)
  const plain = gunzipSync(whole)
  const changed = (from: string, to: string) => {
    const at = plain.indexOf(from)
    assert.ok(at > 0 && from.length === to.length)
    return gzipSync(
      Buffer.concat([plain.subarray(0, at), Buffer.from(to), plain.subarray(at + from.length)]),
    )
  }
  const cases: Array<[Buffer, RegExp]> = [
    [whole.subarray(0, whole.length / 2), /damaged/],
    [gzipSync(plain.subarray(0, plain.length >> 1)), /damaged|not a Hansard backup/],
    [changed('by hand', 'by band'), /checksum is wrong/],
    [changed('0001-accounts', '9999-accounts'), /newer version/],
    [changed('"formatVersion": 1', '"formatVersion": 2'), /newer version/],
    [gzipSync(Buffer.alloc(1024)), /not a Hansard backup|damaged/],
    [Buffer.from('PK something else'), /damaged/],
    [Buffer.alloc(0), /damaged/],
  ]
  for (const [bytes, pattern] of cases) {
    const bad = join(scratch, 'bad.tar.gz')
    writeFileSync(bad, bytes)
    await assert.rejects(restoreTo(empty.url, data, bad), isOperatorError(pattern), String(pattern))
  }
  await assert.rejects(verifyBackup(join(scratch, 'nowhere')), isOperatorError(/nowhere/))
  assert.deepEqual(readdirSync(data), [])
  assert.equal((await readAllRows(empty.url)).size, 0)
})

test('a restore refuses archive entries outside the file folders', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const { manifest } = await verifyBackup(file)
  const names = [
    'files/../x',
    'files/deployed-md-files/../../x',
    'files/deployed-md-files/./x',
    'files//etc/x',
    'files/secrets/master.key',
    'files/deployed-md-files/a\\b',
    'files/deployed-md-files',
    '../x',
    'x',
    'tables/nobody/000001.copy',
    'master.key',
  ]
  for (const name of names) {
    const bad = join(scratch, 'hostile.tar.gz')
    const archive = createArchiveWriter(createWriteStream(bad))
    await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
    await archive.add(name, Buffer.from('x'))
    await archive.finish({ rows: {}, files: 0 })
    const data = join(scratch, 'hostile')
    await assert.rejects(restoreTo(empty.url, data, bad), isOperatorError(/unexpected entry/), name)
    assert.deepEqual(readdirSync(data), [])
  }
})

test('an export contains every meeting, table and document as plain files, and no secret', async () => {
  const { db, close } = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 2, log: createLog('silent') },
  )
  const screenshot = Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3])
  await sql`insert into evidence (meeting_id, number, at, state, marks, survey, screenshot)
    values (${endedMeetingId}, 1, now(), 'lobby', '{}', '{}', ${screenshot}),
      (${endedMeetingId}, 2, now(), 'lobby', '{}', '{}', null)`.execute(db)
  const folder = join(scratch, 'plain')
  const done = await exportInstance(db, root, folder)
  await assert.rejects(exportInstance(db, root, folder), isOperatorError(/not empty/))
  await close()
  assert.deepEqual([done.meetings, done.screenshots], [2, 1])
  assert.deepEqual(listFiles(join(folder, 'evidence')), [`${endedMeetingId}-1.jpg`])
  assert.ok(readFileSync(join(folder, 'evidence', `${endedMeetingId}-1.jpg`)).equals(screenshot))
  const names = listFiles(folder)
  assert.equal(names.filter((name) => /^meetings\/meeting_\w+\.(md|json)$/.test(name)).length, 4)
  assert.ok(names.includes('deployed-md-files/docs/api/notes/Grüße.txt'))
  for (const { parentPath, name } of readdirSync(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    const path = join(parentPath, name)
    assert.equal(statSync(path).mode & 0o077, 0, path)
  }
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  const tokens = readFileSync(join(folder, 'tables/api_token.jsonl'), 'utf8')
  assert.equal((JSON.parse(tokens) as { name: string }).name, 'test')
  const meeting = readFileSync(join(folder, 'meetings', `${endedMeetingId}.json`), 'utf8')
  const { recap, comments } = JSON.parse(meeting) as {
    recap: Record<'summary' | 'actions' | 'topics' | 'decisions', unknown[]>
    comments: object[]
  }
  assert.partialDeepStrictEqual(comments, [{ segmentNumber: 1, author: 'Ada', text: 'Ask Ben' }])
  assert.ok(recap.summary.length > 0 && recap.actions.length > 0 && recap.topics.length > 0)
  assert.ok(JSON.stringify(recap.decisions).includes('Blue it is'))
  const tables = names.filter((name) => name.startsWith('tables/'))
  const all = tables.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  assert.doesNotMatch(all, /_hash|signing_secret|master_key_check|\\\\x[0-9a-f]{16}/)
  rmSync(folder, { recursive: true })
})
