import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { appendEvents } from '../../src/meetings/record/meeting-store.ts'
import { deleteExpiredMeetings } from '../../src/meetings/removal.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { deleteUnusedVocabularyWords } from '../../src/projects/search/spelling.ts'
import { assertError } from '../support/http/raw-requests.ts'
import { openProjectsService } from '../support/projects-service.ts'
import { eventually } from '../support/time/eventually.ts'

type Removed = Record<string, number>

test('removing a meeting deletes all of its data and reports how much was deleted', async () => {
  await using library = await openProjectsService()
  const { program } = library
  const id = await program.start('practice://host-ends?speed=1000', {
    title: 'Secret',
    project: 'api',
  })
  assertError(await program.remove(`/${id}`), 409, 'meeting_active')
  await program.waitForStatus(id)
  const { body: transcript } = await program.get(`/${id}/transcript`)
  const segments = transcript['segments'] as Array<{ text: string }>
  const events = await program.events(id)
  const file = join(library.data, String(transcript['documentPath']))
  assert.ok(existsSync(file))

  const response = await program.remove(`/${id}`)
  assert.equal(response.status, 200)
  const removed = response.body['removed'] as Removed
  assert.deepEqual(
    [removed['segments'], removed['events'], removed['documents']],
    [segments.length, events.length, 1],
  )
  assert.equal(existsSync(file), false)
  assertError(await program.get(`/${id}`), 404, 'meeting_not_found')
  assert.deepEqual((await library.get('/projects/api/meetings')).body['meetings'], [])
  const word = /\p{L}{5,}/u.exec(segments[0]?.text ?? '')?.[0] ?? ''
  assert.deepEqual(await library.search({ q: word }), [])
  assert.deepEqual(await library.search({ q: 'secret' }), [])
  assertError(await program.remove(`/${id}`), 404, 'meeting_not_found')

  const { body } = await library.get('/removals')
  const [report] = body['removals'] as Array<Record<string, unknown>>
  assert.deepEqual(
    [report?.['meetingId'], report?.['removedBy'], report?.['removed']],
    [id, program.tokenId, removed],
  )
  await using database = await connectToDatabase(
    { connectionString: library.service.databaseUrl },
    { max: 1, log: createLog('silent') },
  ).then(({ db, close }) => ({ db, [Symbol.asyncDispose]: close }))
  // Its words are also deleted from the vocabulary for spelling corrections.
  await deleteUnusedVocabularyWords(database.db, new Date(Date.now() + 1_000))
  const { rows } = await sql<{ word: string }>`select word from word`.execute(database.db)
  assert.deepEqual(rows, [])
})

test('deleteExpiredMeetings removes only meetings that ended long ago, with their documents', async () => {
  await using library = await openProjectsService()
  const { program } = library
  const old = await program.start('practice://denied?speed=1000', { title: 'Old' })
  const recent = await program.start('practice://denied?speed=1000', { title: 'Fresh' })
  const live = await program.start('practice://long?speed=1', { title: 'Live' })
  await Promise.all([program.waitForStatus(old), program.waitForStatus(recent)])
  const log = createLog('silent')
  const { db, close } = await connectToDatabase(
    { connectionString: library.service.databaseUrl },
    { max: 2, log },
  )
  await sql`update meeting set ended_at = ended_at - interval '10 days' where id = ${old}`.execute(
    db,
  )
  const documentPath = 'deployed-md-files/docs/old/meetings/old.md'
  await sql`update meeting set document_path = ${documentPath} where id = ${old}`.execute(db)
  const file = join(library.data, documentPath)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'Transcript')
  const changed: string[] = []
  const documentChanged = async (path: string) => {
    assert.equal(existsSync(file), false)
    changed.push(path)
  }
  const parts = { db, log, files: createFolderDocuments(library.data), documentChanged }
  const count = await deleteExpiredMeetings(parts, new Date(), 9)
  await close()
  assert.deepEqual([count, changed], [1, [documentPath]])
  const { body } = await library.get('/removals')
  const [report] = body['removals'] as Array<Record<string, unknown>>
  assert.partialDeepStrictEqual(report, {
    meetingId: old,
    removedBy: 'retention',
    removed: { documents: 1 },
  })
  assertError(await program.get(`/${old}`), 404, 'meeting_not_found')
  for (const id of [recent, live]) assert.equal((await program.get(`/${id}`)).status, 200)
})

test('data written concurrently with the removal of its meeting is deleted too', async () => {
  await using library = await openProjectsService()
  const { program } = library
  const id = await program.start('practice://denied?speed=1000', { title: 'Late' })
  await program.waitForStatus(id)
  const { db, close } = await connectToDatabase(
    { connectionString: library.service.databaseUrl },
    { max: 2, log: createLog('silent') },
  )
  const removal = await db.transaction().execute(async (tx) => {
    await appendEvents(tx, id, new Date(), [
      { type: 'meeting_status', payload: { status: 'ended', previousStatus: null } },
    ])
    await sql`update lane set failures = failures where meeting_id = ${id}`.execute(tx)
    await sql`insert into delivery_attempt
      (id, lane_id, meeting_id, sequence, type, started_at, duration_ms, outcome, answer)
      values ('late', 'lane', ${id}, 1, 'status', now(), 1, 'failed', '')`.execute(tx)
    const removing = program.remove(`/${id}`)
    await eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length > 0 ? true : null
    })
    return { removing }
  })
  assert.equal((await removal.removing).status, 200)
  for (const table of ['event', 'delivery_attempt', 'lane', 'segment']) {
    const left = sql`select 1 from ${sql.table(table)} where meeting_id = ${id}`
    assert.deepEqual((await left.execute(db)).rows, [], table)
  }
  await close()
})
