import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  parsePathInDataFolder,
  removeDocumentAt,
  createProjectFolder,
  MEETINGS_FOLDER,
} from '../document-ref.ts'
import {
  truncateAndAppendToDocument,
  createDocument,
  DocumentDamaged,
  replaceDocumentIf,
  writeDocumentAtomically,
} from './document-file.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hansard-documents-'))
after(() => rmSync(scratch, { recursive: true }))

const createRoot = () => mkdtempSync(join(scratch, 'root-'))
const fileNameFor = (attempt: number) => (attempt === 1 ? 'weekly.md' : `weekly (${attempt}).md`)
const createWeekly = (root: string, header = 'header\n') =>
  createDocument({ root, project: 'api', fileNameFor, header, heading: '# Ä\n' })
const read = (path: string) => readFileSync(path, 'utf8')
const hasCode = (code: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code

test('a new document is in the folder of its project and has its header and heading', async () => {
  const root = createRoot()
  const { path, documentPath, size } = await createWeekly(root)
  assert.equal(documentPath, 'deployed-md-files/docs/api/meetings/weekly.md')
  assert.equal(path, join(root, documentPath))
  assert.equal(read(path), 'header\n# Ä\n')
  assert.equal(size, statSync(path).size)
  const mask = process.umask()
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o755 & ~mask)
  assert.equal(statSync(path).mode & 0o777, 0o644 & ~mask)
})

test('documents created concurrently get different names', async () => {
  const root = createRoot()
  const created = await Promise.all(
    ['a', 'b', 'c', 'd'].map((header) => createWeekly(root, header)),
  )
  assert.deepEqual(created.map(({ path }) => read(path)).toSorted(), [
    'a# Ä\n',
    'b# Ä\n',
    'c# Ä\n',
    'd# Ä\n',
  ])
  assert.deepEqual(readdirSync(dirname(created[0]?.path ?? '')).toSorted(), [
    'weekly (2).md',
    'weekly (3).md',
    'weekly (4).md',
    'weekly.md',
  ])
})

test('a name that a symbolic link has is not used for a new document', async () => {
  const root = createRoot()
  const outside = join(createRoot(), 'outside.md')
  symlinkSync(outside, join(await createProjectFolder(root, 'api', MEETINGS_FOLDER), 'weekly.md'))
  assert.match((await createWeekly(root)).path, /weekly \(2\)\.md$/)
  assert.equal(existsSync(outside), false)
})

test('a symbolic link on the path to a document is never followed', async () => {
  for (const linked of [
    'deployed-md-files',
    'deployed-md-files/docs',
    'deployed-md-files/docs/api',
    'deployed-md-files/docs/api/meetings',
  ]) {
    const root = createRoot()
    const prompts = join(root, 'scheduled-prompts')
    mkdirSync(prompts)
    for (const target of [createRoot(), prompts]) {
      mkdirSync(dirname(join(root, linked)), { recursive: true })
      symlinkSync(target, join(root, linked))
      await assert.rejects(createWeekly(root), OperatorError)
      assert.deepEqual(readdirSync(target), [], linked)
      rmSync(join(root, linked))
    }
  }
})

test('creating a document fails when a file has the name of its folder', async () => {
  const root = createRoot()
  mkdirSync(join(root, 'deployed-md-files/docs'), { recursive: true })
  writeFileSync(join(root, 'deployed-md-files/docs/api'), 'by hand')
  await assert.rejects(createWeekly(root), OperatorError)
  assert.equal(readFileSync(join(root, 'deployed-md-files/docs/api'), 'utf8'), 'by hand')
})

test('a data folder that is a symbolic link is accepted', async () => {
  const root = createRoot()
  const linkedRoot = join(createRoot(), 'linked')
  symlinkSync(root, linkedRoot)
  const { path, documentPath } = await createWeekly(linkedRoot)
  assert.equal(documentPath, 'deployed-md-files/docs/api/meetings/weekly.md')
  assert.equal(path, join(linkedRoot, documentPath))
  assert.equal(realpathSync(path), join(realpathSync(root), documentPath))
})

test('project ids and file names cannot lead out of the folder', async () => {
  const root = createRoot()
  const wanted = { root, fileNameFor, header: '', heading: '' }
  for (const project of ['..', '../x', 'a/b', '', '/etc']) {
    await assert.rejects(createDocument({ ...wanted, project }), { code: 'ERR_ASSERTION' })
  }
  for (const name of ['../x.md', 'a/b.md', '..', '.', '', '/x.md', 'x\0.md']) {
    const newDocument = { ...wanted, project: 'api', fileNameFor: () => name }
    await assert.rejects(createDocument(newDocument), { code: 'ERR_ASSERTION' })
  }
  assert.deepEqual(readdirSync(join(root, 'deployed-md-files/docs/api/meetings')), [])
})

test('appended text is at the end of the document', async () => {
  const { path, size } = await createWeekly(createRoot())
  const next = await truncateAndAppendToDocument(path, 'größer\n', size)
  assert.equal(next, size + 9)
  assert.equal(await truncateAndAppendToDocument(path, '', next), next)
  assert.equal(await truncateAndAppendToDocument(path, 'end\n', next), next + 4)
  assert.equal(read(path), 'header\n# Ä\ngrößer\nend\n')
})

test('an append truncates bytes that a crash left beyond the expected size', async () => {
  const { path, size } = await createWeekly(createRoot())
  appendFileSync(path, Buffer.from('a lost segment, half a letter: ä').subarray(0, -1))
  assert.equal(await truncateAndAppendToDocument(path, 'new\n', size), size + 4)
  assert.equal(read(path), 'header\n# Ä\nnew\n')
})

test('appending to a missing, shortened or linked document fails and changes nothing', async () => {
  const { path, size } = await createWeekly(createRoot())
  truncateSync(path, size - 1)
  await assert.rejects(truncateAndAppendToDocument(path, 'x', size), DocumentDamaged)
  assert.equal(statSync(path).size, size - 1)

  rmSync(path)
  await assert.rejects(truncateAndAppendToDocument(path, 'x', size), DocumentDamaged)
  assert.equal(existsSync(path), false)

  const other = join(createRoot(), 'other.md')
  writeFileSync(other, 'y'.repeat(size))
  symlinkSync(other, path)
  await assert.rejects(truncateAndAppendToDocument(path, 'x', size), DocumentDamaged)
  assert.equal(read(other), 'y'.repeat(size))
  await writeDocumentAtomically(path, ['whole'])
  assert.equal(read(other), 'y'.repeat(size))
  assert.equal(read(path), 'whole')
})

test('rewriting restores a damaged document, even when its folder is missing', async () => {
  const root = createRoot()
  const { path, size } = await createWeekly(root)
  rmSync(dirname(path), { recursive: true })
  await assert.rejects(truncateAndAppendToDocument(path, 'x', size), DocumentDamaged)
  await assert.rejects(writeDocumentAtomically(path, ['whole']), hasCode('ENOENT'))
  await createProjectFolder(root, 'api', MEETINGS_FOLDER)
  assert.equal(await writeDocumentAtomically(path, ['whole']), 5)
  assert.equal(await truncateAndAppendToDocument(path, '!', 5), 6)
  assert.equal(read(path), 'whole!')
})

test('readers see the old document until a streamed rewrite is complete', async () => {
  const { path } = await createWeekly(createRoot())
  const old = read(path)
  const chunk = 'ä'.repeat(500)
  function* chunks() {
    for (let count = 0; count < 1_000; count += 1) {
      if (count % 100 === 0) assert.equal(read(path), old)
      yield chunk
    }
  }
  assert.equal(await writeDocumentAtomically(path, chunks()), 1_000_000)
  assert.equal(read(path), chunk.repeat(1_000))
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
  assert.equal(statSync(path).mode & 0o777, 0o644 & ~process.umask())

  async function* paged() {
    yield* [chunk, await Promise.resolve('end')]
  }
  assert.equal(await writeDocumentAtomically(path, paged()), 1_003)
})

test('a failed rewrite leaves the old document and no temporary file', async () => {
  const { path } = await createWeekly(createRoot())
  const old = read(path)
  function* chunks() {
    yield 'x'.repeat(300_000)
    throw new RangeError('in the middle')
  }
  await assert.rejects(writeDocumentAtomically(path, chunks()), RangeError)
  assert.equal(read(path), old)
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
})

test('concurrent rewrites leave the complete text of one of them', async () => {
  const { path } = await createWeekly(createRoot())
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000))
  await Promise.all(texts.map((text) => writeDocumentAtomically(path, [text])))
  assert.ok(texts.includes(read(path)))
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
})

test('writing to a full disk fails with its error code and leaves existing documents intact', async () => {
  const { path, size } = await createWeekly(createRoot())
  const old = read(path)
  // The process's file size limit (ulimit) simulates a full disk.
  const script = `
    import { truncateAndAppendToDocument, createDocument, writeDocumentAtomically } from ${JSON.stringify(import.meta.resolve('./document-file.ts'))}
    const [root, path, size] = process.argv.slice(1)
    const long = 'x'.repeat(400_000)
    const newDocument = { root, project: 'full', fileNameFor: () => 'full.md', header: long, heading: '' }
    const writes = [createDocument(newDocument), writeDocumentAtomically(path, [long]), truncateAndAppendToDocument(path, long, Number(size))]
    const settled = await Promise.allSettled(writes)
    console.log(settled.map(({ reason }) => reason?.code).join())`
  const root = createRoot()
  const shell = 'ulimit -f 128; exec "$@"'
  const node = [process.execPath, '--input-type=module', '--eval', script, root, path, String(size)]
  const child = spawnSync('sh', ['-c', shell, 'sh', ...node], { encoding: 'utf8' })
  assert.equal(child.stdout.trim(), 'EFBIG,EFBIG,EFBIG', child.stderr)
  assert.deepEqual(readdirSync(join(root, 'deployed-md-files/docs/full/meetings')), [])
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
  assert.equal(await truncateAndAppendToDocument(path, 'space again\n', size), size + 12)
  assert.equal(read(path), `${old}space again\n`)
})

test('file system errors are thrown with their error code', async () => {
  const root = createRoot()
  const newDocument = { root, project: 'api', header: '', heading: '' }
  const long = { ...newDocument, fileNameFor: () => `${'x'.repeat(300)}.md` }
  await assert.rejects(createDocument(long), hasCode('ENAMETOOLONG'))
  await assert.rejects(createWeekly(join(root, 'missing')), hasCode('ENOENT'))
  const { path } = await createWeekly(root)
  await assert.rejects(truncateAndAppendToDocument(dirname(path), 'x', 0), hasCode('EISDIR'))
  await assert.rejects(writeDocumentAtomically(dirname(path), ['x']), hasCode('EISDIR'))
})

test('removing a document twice is not an error', async () => {
  const root = createRoot()
  const { path, documentPath } = await createWeekly(root)
  const ref = parsePathInDataFolder(documentPath)
  assert.ok(ref !== null)
  assert.equal(await removeDocumentAt(root, ref), true)
  assert.deepEqual(readdirSync(dirname(path)), [])
  assert.equal(await removeDocumentAt(root, ref), false)
  rmSync(join(root, 'deployed-md-files'), { recursive: true })
  assert.equal(await removeDocumentAt(root, ref), false)
})

test('a document that changes while its replacement is written stays, and no other file is left', async () => {
  const root = createRoot()
  const { path } = await createWeekly(root)
  const before = read(path)
  const isSame = async () => read(path) === before
  async function* saveMeanwhile() {
    yield 'by the service'
    writeFileSync(path, 'by a person')
  }
  assert.equal(await replaceDocumentIf(path, saveMeanwhile(), isSame), null)
  assert.equal(read(path), 'by a person')
  await assert.rejects(
    replaceDocumentIf(path, ['x'], async () => {
      throw new Error('unreadable')
    }),
    /unreadable/,
  )
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
  assert.equal(await replaceDocumentIf(path, ['new'], async () => true), 3)
  assert.equal(read(path), 'new')
})
