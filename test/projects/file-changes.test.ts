import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  writeProjectFile,
  bracketMatches,
  openProjectsService,
  createProjectsClient,
  type ProjectsService,
  openProjectsServiceForFile,
} from '../support/projects-service.ts'
import { startService } from '../support/service/start-service.ts'

type Listed = { path: string; title: string; warning: string | null }

const openEmpty = openProjectsServiceForFile()

test('listing and search follow files that are added, edited, renamed and deleted on disk', async () => {
  const library = await openEmpty()
  library.writeFile('api/notes/plan.md', '---\ntitle: "The plan"\n---\n\nWe begin with zucchini.\n')
  await library.waitForDocuments('api', ['notes/plan.md'])
  const [found] = await library.waitForResults('zucchini', 1)
  assert.ok(found)
  assert.deepEqual([found['path'], found['line'], found['title']], ['notes/plan.md', 5, 'The plan'])
  assert.equal(bracketMatches(found), 'We begin with [zucchini].')

  library.writeFile('api/notes/plan.md', 'Now it is about aubergines.\n')
  await library.waitForResults('aubergine', 1)
  await library.waitForResults('zucchini', 0)

  renameSync(join(library.docs, 'api/notes/plan.md'), join(library.docs, 'api/notes/later.md'))
  await library.waitForDocuments('api', ['notes/later.md'])
  assert.equal((await library.waitForResults('aubergines', 1))[0]?.['path'], 'notes/later.md')

  rmSync(join(library.docs, 'api/notes/later.md'))
  await library.waitForDocuments('api', [])
  await library.waitForResults('aubergines', 0)
})

test('listing and search follow folders that are added, moved and deleted on disk', async () => {
  const library = await openEmpty()
  const outside = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'outside-'))
  writeProjectFile(outside, 'x/one/two/three.md', 'kohlrabi')
  renameSync(join(outside, 'deployed-md-files/docs/x'), join(library.docs, 'moved in'))
  await library.waitForDocuments('moved in', ['one/two/three.md'])

  renameSync(join(library.docs, 'moved in/one'), join(library.docs, 'moved in/uno'))
  await library.waitForDocuments('moved in', ['uno/two/three.md'])
  // The moved folder is watched at its new path.
  writeFileSync(join(library.docs, 'moved in/uno/two/four.md'), 'parsnip')
  await library.waitForDocuments('moved in', ['uno/two/four.md', 'uno/two/three.md'])
  mkdirSync(join(library.docs, 'moved in/one/two'), { recursive: true })
  writeFileSync(join(library.docs, 'moved in/one/two/three.md'), 'celery')
  await library.waitForDocuments('moved in', [
    'one/two/three.md',
    'uno/two/four.md',
    'uno/two/three.md',
  ])

  rmSync(join(library.docs, 'moved in'), { recursive: true })
  await eventually(async () => {
    const { body } = await library.get('/projects')
    return (body['projects'] as unknown[]).length === 0 ? true : null
  })
  await library.waitForResults('kohlrabi', 0)
  rmSync(outside, { recursive: true })
})

test('changes made while the service was stopped are indexed at the next start', async () => {
  await using database = await createTestDatabase()
  const data = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'restart-'))
  const env = { HANSARD_DATA: data, DATABASE_URL: database.url }
  writeProjectFile(data, 'api/stays.md', 'stays as it is')
  writeProjectFile(data, 'api/changes.md', 'before')
  writeProjectFile(data, 'api/goes.md', 'goes')
  writeProjectFile(data, 'gone/a.md', 'goes with its project')
  const key = await withProjectsService(env, async (library) => {
    await library.waitForDocuments('api', ['changes.md', 'goes.md', 'stays.md'])
    await library.waitForDocuments('gone', ['a.md'])
    return library.program.key
  })
  writeProjectFile(data, 'api/changes.md', 'afterwards')
  writeProjectFile(data, 'api/comes.md', 'comes')
  rmSync(join(data, 'deployed-md-files/docs/api/goes.md'))
  rmSync(join(data, 'deployed-md-files/docs/gone'), { recursive: true })
  await using service = await startService(env)
  const again = createProjectsClient(service, key)
  await again.waitForDocuments('api', ['changes.md', 'comes.md', 'stays.md'])
  await again.waitForResults('afterwards', 1)
  await again.waitForResults('stays', 1)
  await eventually(async () => {
    const { body } = await again.get('/projects')
    const ids = (body['projects'] as Array<{ id: string }>).map(({ id }) => id)
    return ids.join() === 'api' ? true : null
  })
})

async function withProjectsService<T>(
  env: Record<string, string>,
  work: (library: ProjectsService) => Promise<T>,
): Promise<T> {
  await using library = await openProjectsService(env)
  return await work(library)
}

test('a broken, huge, binary or hostile file gets a warning and affects no other file', async () => {
  const library = await openEmpty()
  const bomb = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`)
  const files: Record<string, string | Buffer> = {
    'good.md': '---\ntitle: "Good"\n---\nartichoke',
    'bomb.md': `---\na0: &a0 [lol]\n${bomb.join('\n')}\n---\nartichoke`,
    'script.md': '---js\n({ title: process.exit(1) })\n---\nartichoke',
    'broken.md': '---\ntitle: [\n---\nartichoke',
    'binary.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
    'latin.md': Buffer.from('caf\xe9 artichoke', 'latin1'),
    'huge.md': `${'word '.repeat(10)}\n`.repeat(30_000),
    'one line.txt': 'x'.repeat(1_500_000),
    'surrogate.md': '---\ntitle: "\\ud800 half"\n---\nartichoke',
    'null.md': '---\ntitle: "a\\0b"\n---\nartichoke',
    'name\nwith\tcontrols?.md': 'artichoke',
  }
  for (const [path, content] of Object.entries(files)) library.writeFile(`api/${path}`, content)
  symlinkSync('/etc/passwd', join(library.docs, 'api/link.md'))
  symlinkSync('/etc', join(library.docs, 'api/folder-link'))
  symlinkSync('/etc', join(library.docs, 'project-link'))
  execFileSync('mkfifo', [join(library.docs, 'api/pipe.md')])
  writeFileSync(
    Buffer.concat([
      Buffer.from(join(library.docs, 'api/bad')),
      Buffer.from([0xff]),
      Buffer.from('.md'),
    ]),
    'x',
  )
  const listed = await eventually(async () => {
    const { body } = await library.get('/projects/api/documents?limit=100')
    const documents = (body['documents'] ?? []) as Listed[]
    return documents.length === 14 ? documents : null
  })
  const warnings = Object.fromEntries(listed.map(({ path, warning }) => [path, warning]))
  assert.deepEqual(warnings, {
    'good.md': null,
    'bomb.md': 'The front matter cannot be read',
    'script.md': 'The front matter cannot be read',
    'broken.md': 'The front matter cannot be read',
    'binary.md': 'Not a text file: it contains zero bytes',
    'latin.md': 'Not a text file in UTF-8',
    'huge.md': 'Too large: only the first 1 MiB is searchable',
    'one line.txt': 'Too large: only the first 1 MiB is searchable',
    'surrogate.md': null,
    'null.md': null,
    'name\nwith\tcontrols?.md': null,
    'link.md': 'Not a regular file; links are not followed',
    'folder-link': 'Not a regular file; links are not followed',
    'pipe.md': 'Not a regular file; links are not followed',
  })
  await library.waitForResults('artichoke', 7)
  await library.waitForResults('root', 0)
  const { body } = await library.get('/projects')
  assert.deepEqual(
    (body['projects'] as Array<{ id: string }>).map(({ id }) => id),
    ['api'],
  )
  const odd = await library.get(
    `/projects/api/documents/${encodeURIComponent('name\nwith\tcontrols?.md')}`,
  )
  assert.equal(odd.text, 'artichoke')
})

test('two nodes with a shared folder index every document alike, whichever node wrote it', async () => {
  await using library = await openProjectsService({
    HANSARD_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
  })
  await using two = await startService({
    HANSARD_DATA: library.data,
    DATABASE_URL: library.service.databaseUrl,
    HANSARD_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
  })
  const other = createProjectsClient(two, library.program.key)
  for (let round = 0; round < 30; round += 1) {
    library.writeFile(
      `shared/by hand ${round % 5}.md`,
      `turnip ${'again '.repeat(round)}round${round}x`,
    )
    await Promise.all([
      library.put(`/projects/shared/documents/one.md`, `turnip by one, round${round}x`),
      other.put(`/projects/shared/documents/two.md`, `turnip by two, round${round}x`),
    ])
  }
  const expected = [
    'by hand 0.md',
    'by hand 1.md',
    'by hand 2.md',
    'by hand 3.md',
    'by hand 4.md',
    'one.md',
    'two.md',
  ]
  for (const node of [library, other]) {
    await node.waitForDocuments('shared', expected)
    await node.waitForResults('turnip', 7)
    await node.waitForResults('round29x', 3)
    await node.waitForResults('round7x', 0)
  }
})
