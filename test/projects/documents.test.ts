import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  openProjectsService,
  createProjectsClient,
  openProjectsServiceForFile,
} from '../support/projects-service.ts'
import { startService } from '../support/service/start-service.ts'
import { assertError, sendRequest } from '../support/http/raw-requests.ts'

const PATH = '/projects/brand new/documents/notes/plan.md'.replace(' ', '%20')

const openEmpty = openProjectsServiceForFile()

test('writing a document creates its project, and it can be searched, read and removed', async () => {
  const library = await openEmpty()
  const text = '---\ntitle: "A plan"\n---\n\nSalsify, mostly. ✓\n'
  const written = await library.put(PATH, text)
  assert.equal(written.status, 201)
  const { project, document } = written.body as {
    project: string
    document: Record<string, unknown>
  }
  assert.equal(project, 'brand new')
  assert.deepEqual(
    [document['path'], document['title'], document['kind'], document['size'], document['warning']],
    ['notes/plan.md', 'A plan', 'document', Buffer.byteLength(text), null],
  )
  // The index is up to date when the write returns, so no waiting is needed.
  assert.deepEqual(await library.paths('brand new'), ['notes/plan.md'])
  assert.equal((await library.search({ q: 'salsify' })).length, 1)
  assert.equal(readFileSync(join(library.docs, 'brand new/notes/plan.md'), 'utf8'), text)

  const read = await library.get(PATH)
  assert.equal(read.text, text)
  assert.equal(read.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.equal(read.headers.get('etag'), written.headers.get('etag'))
  assert.equal(read.headers.get('x-content-type-options'), 'nosniff')

  assert.equal((await library.put(PATH, 'Scorzonera instead.')).status, 200)
  assert.equal((await library.search({ q: 'salsify' })).length, 0)
  assert.equal((await library.remove(PATH)).status, 200)
  assert.equal((await library.search({ q: 'scorzonera' })).length, 0)
  // Removing the last file also removes its empty folders and the project.
  assert.deepEqual((await library.get('/projects')).body['projects'], [])
  assert.equal(existsSync(join(library.docs, 'brand new')), false)
  assertError(await library.remove(PATH), 404, 'project_not_found')
})

test('If-Match and If-None-Match protect a document from being overwritten or removed', async () => {
  const library = await openEmpty()
  const first = await library.put(PATH, 'one', { 'if-none-match': '*' })
  assert.equal(first.status, 201)
  assertError(await library.put(PATH, 'two', { 'if-none-match': '*' }), 412, 'precondition_failed')
  const tag = String(first.headers.get('etag'))
  assertError(await library.put(PATH, 'two', { 'if-match': '"other"' }), 412, 'precondition_failed')
  assertError(await library.remove(PATH, { 'if-match': '"other"' }), 412, 'precondition_failed')
  const second = await library.put(PATH, 'two', { 'if-match': `"other", ${tag}` })
  assert.equal(second.status, 200)
  assertError(await library.put(PATH, 'three', { 'if-match': tag }), 412, 'precondition_failed')
  // A manual change on disk is detected too, even if the service has not seen it yet.
  library.writeFile('brand new/notes/plan.md', 'by hand')
  const stale = await library.put(PATH, 'three', { 'if-match': String(second.headers.get('etag')) })
  assertError(stale, 412, 'precondition_failed')
  const missing = await library.put('/projects/x/documents/new.md', 'x', { 'if-match': '*' })
  assertError(missing, 412, 'precondition_failed')

  const { key } = library.program
  const path = `/api/v1${PATH}`
  const { headers } = await library.get(PATH)
  const same = await sendRequest(library.service.url, {
    path,
    headers: { ...key, 'if-none-match': String(headers.get('etag')) },
  })
  assert.deepEqual([same.status, same.text], [304, ''])
  assert.equal(
    (await library.remove(PATH, { 'if-match': String(headers.get('etag')) })).status,
    200,
  )
})

test('of concurrent writes on two nodes with the same If-Match exactly one succeeds', async () => {
  const key = Buffer.alloc(32, 6).toString('base64')
  await using library = await openProjectsService({ HANSARD_MASTER_KEY: key })
  await using two = await startService({
    HANSARD_DATA: library.data,
    DATABASE_URL: library.service.databaseUrl,
    HANSARD_MASTER_KEY: key,
  })
  const other = createProjectsClient(two, library.program.key)
  let tag = String((await library.put(PATH, 'start')).headers.get('etag'))
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? library : other).put(PATH, `round ${round} by ${i}`, { 'if-match': tag }),
      ),
    )
    const winners = answers.flatMap((answer, i) => (answer.status === 200 ? [i] : []))
    assert.equal(winners.length, 1, JSON.stringify(answers.map((answer) => answer.status)))
    const text = (await library.get(PATH)).text
    assert.equal(text, `round ${round} by ${winners[0]}`)
    tag = String((await library.get(PATH)).headers.get('etag'))
  }
})

test('the API can neither write nor remove transcripts', async () => {
  const library = await openEmpty()
  library.writeFile('api/meetings/by hand.md', 'words')
  await library.waitForDocuments('api', ['meetings/by hand.md'])
  for (const path of [
    'meetings/new.md',
    'Meetings/new.md',
    'meetings/by%20hand.md',
    'meetings%2Fnew.md',
  ]) {
    assertError(
      await library.put(`/projects/api/documents/${path}`, 'x'),
      403,
      'document_protected',
      path,
    )
    assertError(
      await library.remove(`/projects/api/documents/${path}`),
      403,
      'document_protected',
      path,
    )
  }
  assert.equal((await library.get('/projects/api/documents/meetings/by%20hand.md')).text, 'words')
})

test('only UTF-8 text of limited size with a portable file name is accepted as a document', async () => {
  const library = await openEmpty()
  const put = (name: string, text: string | Buffer, headers?: Record<string, string>) =>
    library.put(`/projects/api/documents/${name}`, text, headers)
  assertError(
    await put('a.md', '{}', { 'content-type': 'application/json' }),
    415,
    'unsupported_media_type',
  )
  assertError(await put('a.md', 'x'.repeat(1024 * 1024 + 1)), 413, 'body_too_large')
  assertError(await put('a.md', Buffer.from([0x61, 0])), 400, 'invalid_request')
  assertError(await put('a.md', Buffer.from([0xff, 0xfe])), 400, 'invalid_request')
  for (const name of [
    'a.html',
    'a',
    '.a.md',
    'con.md',
    'a%3Ab.md',
    'a%00.md',
    'a%0A.md',
    'a.md%20',
    `${'x'.repeat(190)}.md`,
    'a//b.md',
    'a/',
  ]) {
    assertError(await put(name, 'x'), 400, 'invalid_request', name)
  }
  assert.equal((await put('a.md', 'x'.repeat(1024 * 1024))).status, 201)
  assert.equal((await put('empty.txt', '')).status, 201)
  const bytes = { 'content-type': 'application/octet-stream' }
  assert.equal((await put('a.md', 'x', bytes)).status, 200)
  assert.equal(
    (
      await put(encodeURIComponent('Ünïcode 100% 😀.md'), 'x', {
        'content-type': 'text/plain; charset=utf-8',
      })
    ).status,
    201,
  )
  assert.deepEqual(await library.paths('api'), ['a.md', 'empty.txt', 'Ünïcode 100% 😀.md'])
  assertError(await put('a.md/b.md', 'x'), 409, 'path_taken')
  mkdirSync(join(library.docs, 'api/folder.md'))
  assertError(await put('folder.md', 'x'), 409, 'path_taken')
  symlinkSync('/tmp', join(library.docs, 'api/link'))
  assertError(await put('link/x.md', 'x'), 409, 'path_taken')
  symlinkSync(join(library.docs, 'api/a.md'), join(library.docs, 'api/link.md'))
  assertError(await put('link.md', 'x'), 409, 'path_taken')
  assertError(
    await put('x.md', 'x', { 'x-api-key': await createReadOnlyKey(library) }),
    403,
    'missing_scope',
  )
})

async function createReadOnlyKey(
  library: Awaited<ReturnType<typeof openProjectsService>>,
): Promise<string> {
  return (await library.program.admin.createToken({ name: 'reader', scopes: ['read'] })).apiKey
}

test('files that are not text are served only as downloads, and HTML as plain text', async () => {
  const library = await openEmpty()
  library.writeFile('api/page.html', '<script>alert(1)</script>')
  library.writeFile('api/picture.md', Buffer.from([0, 1, 2]))
  await library.waitForDocuments('api', ['page.html', 'picture.md'])
  const page = await library.get('/projects/api/documents/page.html')
  assert.equal(page.headers.get('content-type'), 'text/plain; charset=utf-8')
  const picture = await library.get('/projects/api/documents/picture.md')
  assert.equal(picture.headers.get('content-type'), 'application/octet-stream')
  assert.match(String(picture.headers.get('content-disposition')), /^attachment/)
})
