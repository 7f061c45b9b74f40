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
import { OperatorError } from '../../errors.ts'
import {
  appendToDocument,
  createDocument,
  DocumentDamaged,
  removeDocument,
  rewriteDocument,
} from './document-file.ts'
import { createMeetingsFolder } from './project-folder.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hansard-documents-'))
after(() => rmSync(scratch, { recursive: true }))

const newRoot = () => mkdtempSync(join(scratch, 'root-'))
const fileNameFor = (attempt: number) => (attempt === 1 ? 'weekly.md' : `weekly (${attempt}).md`)
const create = (root: string, header = 'header\n') =>
  createDocument({ root, project: 'api', fileNameFor, header, heading: '# Ä\n' })
const read = (path: string) => readFileSync(path, 'utf8')
const hasCode = (code: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code

test('a document is created in the folder of its project with its header and heading', async () => {
  const root = newRoot()
  const { path, documentPath, size } = await create(root)
  assert.equal(documentPath, 'deployed-md-files/docs/api/meetings/weekly.md')
  assert.equal(path, join(root, documentPath))
  assert.equal(read(path), 'header\n# Ä\n')
  assert.equal(size, statSync(path).size)
  const mask = process.umask()
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o755 & ~mask)
  assert.equal(statSync(path).mode & 0o777, 0o644 & ~mask)
})

test('a document never takes the name of another, even when many are created at once', async () => {
  const root = newRoot()
  const created = await Promise.all(['a', 'b', 'c', 'd'].map((header) => create(root, header)))
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

test('a link under the name of a new document is taken for taken, wherever it leads', async () => {
  const root = newRoot()
  const outside = join(newRoot(), 'outside.md')
  symlinkSync(outside, join(await createMeetingsFolder(root, 'api'), 'weekly.md'))
  assert.match((await create(root)).path, /weekly \(2\)\.md$/)
  assert.equal(existsSync(outside), false)
})

test('no link on the way to a document is followed, wherever it leads', async () => {
  for (const linked of [
    'deployed-md-files',
    'deployed-md-files/docs',
    'deployed-md-files/docs/api',
    'deployed-md-files/docs/api/meetings',
  ]) {
    const root = newRoot()
    const prompts = join(root, 'scheduled-prompts')
    mkdirSync(prompts)
    for (const target of [newRoot(), prompts]) {
      mkdirSync(dirname(join(root, linked)), { recursive: true })
      symlinkSync(target, join(root, linked))
      await assert.rejects(create(root), OperatorError)
      assert.deepEqual(readdirSync(target), [], linked)
      rmSync(join(root, linked))
    }
  }
})

test('a file in the place of a folder is refused and stays as it is', async () => {
  const root = newRoot()
  mkdirSync(join(root, 'deployed-md-files/docs'), { recursive: true })
  writeFileSync(join(root, 'deployed-md-files/docs/api'), 'by hand')
  await assert.rejects(create(root), OperatorError)
  assert.equal(readFileSync(join(root, 'deployed-md-files/docs/api'), 'utf8'), 'by hand')
})

test('a link to the data folder itself is followed', async () => {
  const root = newRoot()
  const way = join(newRoot(), 'way')
  symlinkSync(root, way)
  const { path, documentPath } = await create(way)
  assert.equal(documentPath, 'deployed-md-files/docs/api/meetings/weekly.md')
  assert.equal(path, join(way, documentPath))
  assert.equal(realpathSync(path), join(realpathSync(root), documentPath))
})

test('neither a project nor a file name can climb out of its folder', async () => {
  const root = newRoot()
  const wanted = { root, fileNameFor, header: '', heading: '' }
  for (const project of ['..', '../x', 'a/b', '', '/etc']) {
    await assert.rejects(createDocument({ ...wanted, project }), { code: 'ERR_ASSERTION' })
  }
  for (const name of ['../x.md', 'a/b.md', '..', '.', '', '/x.md', 'x\0.md']) {
    const given = { ...wanted, project: 'api', fileNameFor: () => name }
    await assert.rejects(createDocument(given), { code: 'ERR_ASSERTION' })
  }
  assert.deepEqual(readdirSync(join(root, 'deployed-md-files/docs/api/meetings')), [])
})

test('a document grows by what is appended', async () => {
  const { path, size } = await create(newRoot())
  const next = await appendToDocument(path, 'größer\n', size)
  assert.equal(next, size + 9)
  assert.equal(await appendToDocument(path, '', next), next)
  assert.equal(await appendToDocument(path, 'end\n', next), next + 4)
  assert.equal(read(path), 'header\n# Ä\ngrößer\nend\n')
})

test('what a crash left behind the known size is cut off before the next append', async () => {
  const { path, size } = await create(newRoot())
  appendFileSync(path, Buffer.from('a lost segment, half a letter: ä').subarray(0, -1))
  assert.equal(await appendToDocument(path, 'new\n', size), size + 4)
  assert.equal(read(path), 'header\n# Ä\nnew\n')
})

test('a document that is gone, shorter or replaced by a link is damaged and stays as it is', async () => {
  const { path, size } = await create(newRoot())
  truncateSync(path, size - 1)
  await assert.rejects(appendToDocument(path, 'x', size), DocumentDamaged)
  assert.equal(statSync(path).size, size - 1)

  rmSync(path)
  await assert.rejects(appendToDocument(path, 'x', size), DocumentDamaged)
  assert.equal(existsSync(path), false)

  const other = join(newRoot(), 'other.md')
  writeFileSync(other, 'y'.repeat(size))
  symlinkSync(other, path)
  await assert.rejects(appendToDocument(path, 'x', size), DocumentDamaged)
  assert.equal(read(other), 'y'.repeat(size))
  await rewriteDocument(path, ['whole'])
  assert.equal(read(other), 'y'.repeat(size))
  assert.equal(read(path), 'whole')
})

test('a damaged document is mended by writing the whole, even when its folder went too', async () => {
  const root = newRoot()
  const { path, size } = await create(root)
  rmSync(dirname(path), { recursive: true })
  await assert.rejects(appendToDocument(path, 'x', size), DocumentDamaged)
  await assert.rejects(rewriteDocument(path, ['whole']), hasCode('ENOENT'))
  await createMeetingsFolder(root, 'api')
  assert.equal(await rewriteDocument(path, ['whole']), 5)
  assert.equal(await appendToDocument(path, '!', 5), 6)
  assert.equal(read(path), 'whole!')
})

test('a rewrite streams its chunks and shows the old document until it is complete', async () => {
  const { path } = await create(newRoot())
  const old = read(path)
  const chunk = 'ä'.repeat(500)
  function* chunks() {
    for (let count = 0; count < 1_000; count += 1) {
      if (count % 100 === 0) assert.equal(read(path), old)
      yield chunk
    }
  }
  assert.equal(await rewriteDocument(path, chunks()), 1_000_000)
  assert.equal(read(path), chunk.repeat(1_000))
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
  assert.equal(statSync(path).mode & 0o777, 0o644 & ~process.umask())

  async function* paged() {
    yield* [chunk, await Promise.resolve('end')]
  }
  assert.equal(await rewriteDocument(path, paged()), 1_003)
})

test('a rewrite that fails in the middle leaves the old document and nothing else', async () => {
  const { path } = await create(newRoot())
  const old = read(path)
  function* chunks() {
    yield 'x'.repeat(300_000)
    throw new RangeError('in the middle')
  }
  await assert.rejects(rewriteDocument(path, chunks()), RangeError)
  assert.equal(read(path), old)
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
})

test('rewrites of one document at the same time leave one of them whole', async () => {
  const { path } = await create(newRoot())
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000))
  await Promise.all(texts.map((text) => rewriteDocument(path, [text])))
  assert.ok(texts.includes(read(path)))
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
})

test('a disk that takes no more is told by its code and costs no document', async () => {
  const { path, size } = await create(newRoot())
  const old = read(path)
  // The system refuses to let any file of this process grow beyond a limit, as a full disk would.
  const script = `
    import { appendToDocument, createDocument, rewriteDocument } from ${JSON.stringify(import.meta.resolve('./document-file.ts'))}
    const [root, path, size] = process.argv.slice(1)
    const long = 'x'.repeat(400_000)
    const given = { root, project: 'full', fileNameFor: () => 'full.md', header: long, heading: '' }
    const tries = [createDocument(given), rewriteDocument(path, [long]), appendToDocument(path, long, Number(size))]
    const settled = await Promise.allSettled(tries)
    console.log(settled.map(({ reason }) => reason?.code).join())`
  const root = newRoot()
  const shell = 'ulimit -f 128; exec "$@"'
  const node = [process.execPath, '--input-type=module', '--eval', script, root, path, String(size)]
  const child = spawnSync('sh', ['-c', shell, 'sh', ...node], { encoding: 'utf8' })
  assert.equal(child.stdout.trim(), 'EFBIG,EFBIG,EFBIG', child.stderr)
  assert.deepEqual(readdirSync(join(root, 'deployed-md-files/docs/full/meetings')), [])
  assert.deepEqual(readdirSync(dirname(path)), ['weekly.md'])
  assert.equal(await appendToDocument(path, 'room again\n', size), size + 11)
  assert.equal(read(path), `${old}room again\n`)
})

test('what the disk refuses comes with its code', async () => {
  const root = newRoot()
  const given = { root, project: 'api', header: '', heading: '' }
  const long = { ...given, fileNameFor: () => `${'x'.repeat(300)}.md` }
  await assert.rejects(createDocument(long), hasCode('ENAMETOOLONG'))
  await assert.rejects(create(join(root, 'missing')), hasCode('ENOENT'))
  const { path } = await create(root)
  await assert.rejects(appendToDocument(dirname(path), 'x', 0), hasCode('EISDIR'))
  await assert.rejects(rewriteDocument(dirname(path), ['x']), hasCode('EISDIR'))
})

test('a removed document is gone, and removing it again is no error', async () => {
  const root = newRoot()
  const { path } = await create(root)
  await removeDocument(path)
  assert.deepEqual(readdirSync(dirname(path)), [])
  await removeDocument(path)
  rmSync(join(root, 'deployed-md-files'), { recursive: true })
  await removeDocument(path)
})
