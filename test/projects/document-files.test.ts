import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ServiceError } from '../../src/errors.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import type { DocumentRef } from '../../src/projects/document-ref.ts'
import { DocumentDamaged } from '../../src/projects/files/document-file.ts'
import { createDatabaseDocuments } from '../../src/projects/files/store/database-documents.ts'
import type { DocumentFiles } from '../../src/projects/files/store/document-files.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'documents-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const move = stack.move()
  return { db, root, [Symbol.asyncDispose]: () => move.disposeAsync() }
})

/** Runs a test for both places, each with separate projects. */
function testBoth(
  title: string,
  work: (files: DocumentFiles, inProject: (path: string) => DocumentRef) => Promise<void>,
) {
  const project = title.replaceAll(/[^a-z]+/gi, '-').slice(0, 60)
  const inProject = (path: string) => ({ project, path })
  test(`in a folder: ${title}`, () => work(createFolderDocuments(opened().root), inProject))
  test(`in the database: ${title}`, () => work(createDatabaseDocuments(opened().db), inProject))
}

async function read(files: DocumentFiles, ref: DocumentRef): Promise<string | null> {
  await using file = await files.open(ref)
  return file === null ? null : (await file.read()).toString('utf8')
}

async function readStream(files: DocumentFiles, ref: DocumentRef): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of (await files.open(ref))?.stream() ?? []) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const isPathTaken = (error: unknown) => error instanceof ServiceError && error.code === 'path_taken'

testBoth('a new document gets an unused name, also concurrently', async (files, inProject) => {
  const { project } = inProject('')
  const create = (header: string) =>
    files.create({
      project,
      fileNameFor: (attempt) => (attempt === 1 ? 'weekly.md' : `weekly (${attempt}).md`),
      header,
      heading: '# Ä\n',
    })
  const created = await Promise.all(['a\n', 'b\n', 'c\n'].map(create))
  const names = created.map(({ documentPath }) => documentPath.split('/').at(-1) ?? '').toSorted()
  assert.deepEqual(names, ['weekly (2).md', 'weekly (3).md', 'weekly.md'])
  assert.ok(created.every(({ size }) => size === 7))
  const path = `deployed-md-files/docs/${project}/meetings/weekly.md`
  assert.ok(created.some(({ documentPath }) => documentPath === path))
  assert.match((await read(files, inProject('meetings/weekly.md'))) ?? '', /^[abc]\n# Ä\n$/)
  assert.equal((await files.readInfo(inProject('meetings/weekly.md')))?.size, 7)
})

testBoth('names and project ids cannot lead elsewhere', async (files, inProject) => {
  const document = { ...inProject(''), fileNameFor: () => 'x.md', header: '', heading: '' }
  for (const project of ['..', 'a/b', '', '.git'])
    await assert.rejects(files.create({ ...document, project }), { code: 'ERR_ASSERTION' })
  for (const name of ['../x.md', 'a/b.md', '..', '.', '', 'x\0.md'])
    await assert.rejects(files.create({ ...document, fileNameFor: () => name }), {
      code: 'ERR_ASSERTION',
    })
})

testBoth('a saved document can be read, replaced and removed', async (files, inProject) => {
  const ref = inProject('notes/plan.md')
  assert.equal(await read(files, ref), null)
  assert.equal(await files.readInfo(ref), null)
  await files.save(ref, 'größer')
  assert.equal(await read(files, ref), 'größer')
  const before = await files.readInfo(ref)
  assert.equal(before?.size, 8)
  await files.save(ref, '')
  assert.equal(await read(files, ref), '')
  assert.notEqual((await files.readInfo(ref))?.stamp, before?.stamp)
  assert.equal(await files.isProjectGone(ref), false)
  assert.equal(await files.remove(ref), true)
  assert.equal(await files.remove(ref), false)
  await files.removeEmptyFolders(ref)
  assert.equal(await files.isProjectGone(ref), true)
  assert.equal(await read(files, ref), null)
})

testBoth('names differ by case', async (files, inProject) => {
  await files.save(inProject('Plan.md'), 'A')
  await files.save(inProject('plan.md'), 'b')
  assert.equal(await read(files, inProject('Plan.md')), 'A')
})

testBoth('a path is never both a document and a folder', async (files, inProject) => {
  await files.save(inProject('a.md'), 'file')
  await files.save(inProject('b.md/c.md'), 'file')
  await assert.rejects(files.save(inProject('a.md/x.md'), ''), isPathTaken)
  await assert.rejects(files.save(inProject('b.md'), ''), isPathTaken)
  const { project } = inProject('')
  const create = (within: string[], name: string) =>
    files.create({ project, within, fileNameFor: (n) => `${name}${n}.md`, header: '', heading: '' })
  await assert.rejects(create(['a.md'], 'x'), OperatorError)
  await assert.rejects(files.replace(inProject('b.md'), ['']))
  await files.save(inProject('d1.md/e.md'), '')
  assert.match((await create([], 'd')).documentPath, /d2\.md$/)
  assert.equal(await read(files, inProject('a.md')), 'file')
})

testBoth('text is appended at the expected size', async (files, inProject) => {
  const ref = inProject('meetings/live.md')
  let size = await files.replace(ref, ['head\n'])
  assert.equal(size, 5)
  for (const text of ['ä\n', '', 'b\n']) size = await files.truncateAndAppend(ref, text, size)
  assert.equal(size, 10)
  assert.equal(await read(files, ref), 'head\nä\nb\n')
  const stamp = (await files.readInfo(ref))?.stamp
  assert.equal(await files.truncateAndAppend(ref, 'c\n', 6), 8)
  assert.equal((await files.readInfo(ref))?.size, 8)
  assert.deepEqual(await readStream(files, ref), Buffer.from('head\n\xc3c\n', 'latin1'))
  assert.notEqual((await files.readInfo(ref))?.stamp, stamp)
  await assert.rejects(files.truncateAndAppend(ref, 'x', 9), DocumentDamaged)
  await assert.rejects(
    files.truncateAndAppend(inProject('meetings/no.md'), 'x', 0),
    DocumentDamaged,
  )
  assert.equal((await files.readInfo(ref))?.size, 8)
})

testBoth('a large document is streamed and cut', async (files, inProject) => {
  const ref = inProject('large.md')
  const chunk = 'ä'.repeat(50_000)
  function* chunks() {
    for (let count = 0; count < 60; count += 1) yield chunk
  }
  const whole = Buffer.from(chunk.repeat(60))
  assert.equal(await files.replace(ref, chunks()), whole.length)
  assert.ok((await readStream(files, ref)).equals(whole))
  await using file = await files.open(ref, 1_000)
  assert.equal((await file?.read(10))?.length, 10)
  assert.equal((await file?.read(700_000))?.equals(whole.subarray(0, 700_000)), true)
  assert.equal((await file?.read())?.equals(whole), true)
  await files.truncateAndAppend(ref, chunk.repeat(4), 300_001)
  const expected = Buffer.concat([whole.subarray(0, 300_001), Buffer.from(chunk.repeat(4))])
  assert.ok((await readStream(files, ref)).equals(expected))
})

testBoth('a failed replacement leaves the old text', async (files, inProject) => {
  const ref = inProject('a.md')
  await files.replace(ref, ['old'])
  function* chunks() {
    yield 'x'.repeat(700_000)
    throw new RangeError('in the middle')
  }
  await assert.rejects(files.replace(ref, chunks()), RangeError)
  assert.equal(await read(files, ref), 'old')
})

testBoth('a document is replaced only if it is unchanged', async (files, inProject) => {
  const ref = inProject('a.md')
  await files.save(ref, 'one')
  assert.equal(await files.replaceIfUnchanged(ref, Buffer.from('other'), ['two']), null)
  assert.equal(await read(files, ref), 'one')
  assert.equal(await files.replaceIfUnchanged(ref, Buffer.from('one'), ['two', '!']), 4)
  assert.equal(await read(files, ref), 'two!')
})

testBoth('results are appended below one header', async (files, inProject) => {
  const ref = inProject('log/all.md')
  await files.appendOrCreate(ref, 'header\n', 'one\n')
  await files.appendOrCreate(ref, 'header\n', 'two\n')
  assert.equal(await read(files, ref), 'header\none\ntwo\n')
})

test('in the database: changes in a transaction are undone with it, and nothing is left of replaced texts', async () => {
  const { db } = opened()
  const files = createDatabaseDocuments(db)
  const ref = { project: 'undo', path: 'meetings/a.md' }
  await files.replace(ref, ['old'])
  const undone = db.transaction().execute(async (tx) => {
    const inTx = files.inTransaction(tx)
    await inTx.truncateAndAppend(ref, ' and new', 3)
    assert.equal(await read(inTx, ref), 'old and new')
    await inTx.remove(ref)
    throw new RangeError('undo')
  })
  await assert.rejects(undone, RangeError)
  assert.equal(await read(files, ref), 'old')
  const { rows } = await sql`select from stored_file_chunk c
    where not exists (select from stored_file f where f.content_id = c.content_id)`.execute(db)
  assert.equal(rows.length, 0)
})

test('in the database: a reader of a large text gets an error when it is replaced, never a mixture', async () => {
  const files = createDatabaseDocuments(opened().db)
  const ref = { project: 'mixture', path: 'a.md' }
  await files.replace(ref, ['a'.repeat(6_000_000)])
  const stream = (await files.open(ref))?.stream()
  await files.replace(ref, ['b'.repeat(6_000_000)])
  await assert.rejects(async () => {
    for await (const chunk of stream ?? []) assert.ok(!(chunk as Buffer).includes('b'))
  }, /was replaced while it was read/)
})
