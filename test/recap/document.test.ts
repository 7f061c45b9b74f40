import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../../src/log.ts'
import { rewriteTranscriptDocument } from '../../src/meetings/record/transcript-document.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { writeRecapIntoDocument } from '../../src/recap/recap-document.ts'
import { createRulesRecap } from '../../src/recap/rules-recap.ts'
import { runRecap } from '../../src/recap/running/recap-runner.ts'
import { readRecapSource } from '../../src/recap/running/recap-steps.ts'
import { createRulesRecapMaker } from '../../src/recap/running/rules-thread.ts'
import { claimDueRecaps } from '../../src/recap/store/recap-claims.ts'
import { RECAP_STEPS } from '../../src/recap/store/recap-row.ts'
import { findStoredRecap, requestRecap, saveRecap } from '../../src/recap/store/stored-recap.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { seedMeeting, SEED_TIME } from '../support/meetings/seed-meeting.ts'

const PATH = 'deployed-md-files/docs/api/meetings/plan.md'
const LINES: Array<[speaker: string, text: string]> = [
  ['Ada', 'We decided to ship the new search page on Friday.'],
  ['Ben', 'I will fix the search page by Wednesday.'],
  ['**Eve** 00:00:01', '## Transcript'],
]

/** An ended meeting with a transcript document, and a node that makes its recap. */
async function openEndedMeeting() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase())
  const { db } = database
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'recap-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  await insertLiveNodes(db, 'one')
  const meetingId = await seedMeeting(db, {
    status: 'ended',
    ended_at: SEED_TIME,
    segment_count: LINES.length,
    title: 'Plan',
    document_path: PATH,
  })
  const segments = LINES.map(([speaker, text], i) => ({
    meeting_id: meetingId,
    number: i + 1,
    caption_id: `c${i}`,
    speaker,
    text,
    started_at: new Date(SEED_TIME.getTime() + i * 1000),
    words: null,
  }))
  await db.insertInto('segment').values(segments).execute()
  const file = join(root, PATH)
  mkdirSync(dirname(file), { recursive: true })
  const size = await rewriteTranscriptDocument(db, createFolderDocuments(root), meetingId, null)
  await db.updateTable('meeting').set({ document_size: size }).where('id', '=', meetingId).execute()
  /** Makes and writes a recap like a node that dies before it has stored that it is done. */
  const makeAndWrite = async (sentences = 6) => {
    await requestRecap(db, meetingId, SEED_TIME)
    const [lease] = await claimDueRecaps(db, 'one', SEED_TIME, 1, RECAP_STEPS)
    assert.ok(lease)
    const source = await readRecapSource(db, meetingId, 'UTC')
    const recap = createRulesRecap(source)
    const origin = {
      model: null,
      droppedStatements: 0,
      nextStep: 'document',
      at: SEED_TIME,
    } as const
    await saveRecap(db, lease, { ...recap, summary: recap.summary.slice(0, sentences) }, origin)
    const stored = await findStoredRecap(db, meetingId)
    assert.ok(stored)
    const { startedAt } = source
    return (
      await writeRecapIntoDocument(
        { db, files: createFolderDocuments(root) },
        lease,
        stored,
        startedAt,
      )
    ).outcome
  }
  const indexed: string[] = []
  const parts = {
    db,
    clock: { now: () => SEED_TIME },
    log: createLog('silent'),
    files: createFolderDocuments(root),
    timeZone: 'UTC',
    recapLanguage: null,
    publicUrl: 'http://hansard.test',
    makeRulesRecap: createRulesRecapMaker(),
    model: null,
    documentChanged: async (path: string) => void indexed.push(path),
    onRecapReady: async () => {},
    publishEvents: () => undefined,
  }
  /** Runs all steps of a new recap, and returns the state of the document. */
  const makeRecap = async () => {
    await requestRecap(db, meetingId, SEED_TIME)
    const [claimed] = await claimDueRecaps(db, 'one', SEED_TIME, 1, RECAP_STEPS)
    assert.ok(claimed)
    await runRecap(parts, claimed, new AbortController().signal)
    return (await findStoredRecap(db, meetingId))?.documentState
  }
  const opened = stack.move()
  return {
    db,
    meetingId,
    makeRecap,
    /** Paths of the documents that were reported to the index. */
    indexed,
    makeAndWrite,
    read: () => readFileSync(file, 'utf8'),
    readBytes: () => readFileSync(file),
    write: (text: string | Buffer) => writeFileSync(file, text),
    remove: () => rmSync(file),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('the recap of a node that died after the write is replaced, and the rest of the document stays the same', async () => {
  await using meeting = await openEndedMeeting()
  const plain = meeting.read()
  const titleEnd = plain.indexOf('# Plan\n') + '# Plan\n'.length
  const outside = () => {
    const text = meeting.read()
    const start = text.indexOf('\n## Recap\n')
    const last = '\n## Transcript\n'
    const end = text.indexOf(last) + last.length
    return [start, `${text.slice(0, start)}${text.slice(end)}`]
  }
  assert.equal(await meeting.makeAndWrite(), 'written')
  const first = meeting.read()
  assert.deepEqual(outside(), [titleEnd, plain])
  assert.equal(await meeting.makeAndWrite(1), 'written')
  assert.notEqual(meeting.read(), first)
  assert.deepEqual(outside(), [titleEnd, plain])
})

test('a document that a person changed before the first recap, and a removed one, are not written', async () => {
  await using meeting = await openEndedMeeting()
  const edited = `${meeting.read()}My note\n`
  meeting.write(edited)
  assert.equal(await meeting.makeAndWrite(), 'edited')
  assert.equal(meeting.read(), edited)
  // The size equals the unchanged document's, but one character is not UTF-8.
  const latin1 = Buffer.from(edited.replace('My note\n', ''))
  latin1[latin1.length - 2] = 0xe9
  meeting.write(latin1)
  assert.equal(await meeting.makeAndWrite(), 'edited')
  assert.ok(meeting.readBytes().equals(latin1))
  meeting.remove()
  assert.equal(await meeting.makeAndWrite(), 'none')
  assert.throws(meeting.read, { code: 'ENOENT' })
})

test('the index is told about a document only when its file has changed', async () => {
  await using meeting = await openEndedMeeting()
  assert.deepEqual([await meeting.makeRecap(), meeting.indexed], ['written', [PATH]])
  assert.match(meeting.read(), /search page by Wednesday\. \(due 2026-\S+, 00:00:01\)/)
  assert.deepEqual([await meeting.makeRecap(), meeting.indexed], ['written', [PATH]])
  await sql`update meeting set document_path = null`.execute(meeting.db)
  assert.deepEqual([await meeting.makeRecap(), meeting.indexed], ['none', [PATH]])
})

test('an unknown speaker is nobody', async () => {
  await using meeting = await openEndedMeeting()
  await sql`update segment set speaker = 'Unknown speaker'`.execute(meeting.db)
  const { segments } = await readRecapSource(meeting.db, meeting.meetingId, 'UTC')
  assert.deepEqual(
    segments.map(({ speaker }) => speaker),
    ['', '', ''],
  )
})
