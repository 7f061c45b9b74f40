import { strict as assert } from 'node:assert'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  buildAbsoluteDocumentPath,
  openDocumentAt,
  parsePathInDataFolder,
  parseDocumentRef,
  findFileNameProblemForWrite,
} from '../../src/projects/document-ref.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { openProjectsService } from '../support/projects-service.ts'
import { sendRequest } from '../support/http/raw-requests.ts'

const SECRET = 'nobody may ever read this'

const DOTS = [
  '..',
  '.',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '%252e%252e',
  '..%c0%af',
  '%c0%ae%c0%ae',
  '..;',
  '．．',
  '\u2024\u2024',
  '..%00',
  '%00',
  '.. ',
  '...',
  '~',
  '‥',
]
const SLASHES = [
  '/',
  '//',
  '\\',
  '%2f',
  '%2F',
  '%5c',
  '%255c',
  '%252f',
  '/./',
  '∕',
  '／',
  '%c0%af',
  '/%2e/',
]
const NAMES = [
  'etc',
  'passwd',
  'secret.md',
  'outside',
  'api',
  'meetings',
  'link',
  'link.md',
  'a.md',
  'C:',
  'con',
  '',
  '\0',
  'a\0.md',
  '\ud800',
  '.env',
  '-',
  '*',
  'file:',
  'x'.repeat(300),
]

const path = fc
  .array(
    fc.oneof(fc.constantFrom(...DOTS), fc.constantFrom(...SLASHES), fc.constantFrom(...NAMES)),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => parts.join(''))

test('no random document path leads out of its project', () => {
  const root = '/data'
  fc.assert(
    fc.property(path, fc.oneof(fc.constant('api'), path), (randomPath, project) => {
      for (const one of [randomPath, decode(randomPath), decode(decode(randomPath))]) {
        const ref = parseDocumentRef(project, one)
        if (ref === null) continue
        const file = buildAbsoluteDocumentPath(root, ref)
        const home = `/data/deployed-md-files/docs/${project}${sep}`
        assert.ok(file.startsWith(home), file)
        assert.ok(
          !file
            .slice(home.length)
            .split('/')
            .some((part) => part === '' || part.startsWith('.')),
        )
        assert.ok(!/[\0\\]/.test(file))
        if (findFileNameProblemForWrite(ref) === null) assert.match(file, /\.(?:md|markdown|txt)$/i)
        assert.deepEqual(parsePathInDataFolder(`deployed-md-files/docs/${project}/${one}`), ref)
      }
    }),
    { seed: 20_261_116, numRuns: 10_000 },
  )
})

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

test('a symbolic link in any part of a document path is never followed', async () => {
  const { root, docs, outside } = createFolderWithLinks()
  for (const linkPath of ['link.md', 'folder/secret.md', 'folder/sub/secret.md', 'inside/a.md']) {
    const ref = parseDocumentRef('api', linkPath)
    assert.ok(ref)
    assert.equal(await openDocumentAt(root, ref), null, linkPath)
  }
  const other = parseDocumentRef('linked', 'secret.md')
  assert.ok(other)
  assert.equal(await openDocumentAt(root, other), null)
  const plain = parseDocumentRef('api', 'real/a.md')
  assert.ok(plain)
  await using handle = await openDocumentAt(root, plain)
  assert.equal(await handle?.readFile('utf8'), 'fine')
  assert.ok(docs && outside)
})

/** Creates a projects folder with all kinds of symbolic links that lead out of it. */
function createFolderWithLinks(root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'trap-'))) {
  const outside = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'outside-'))
  const docs = join(root, 'deployed-md-files/docs')
  mkdirSync(join(outside, 'sub'))
  for (const name of ['secret.md', 'sub/secret.md']) writeFileSync(join(outside, name), SECRET)
  mkdirSync(join(docs, 'api/real'), { recursive: true })
  writeFileSync(join(docs, 'api/real/a.md'), 'fine')
  symlinkSync(join(outside, 'secret.md'), join(docs, 'api/link.md'))
  symlinkSync(outside, join(docs, 'api/folder'))
  symlinkSync('real', join(docs, 'api/inside'))
  symlinkSync(outside, join(docs, 'linked'))
  writeFileSync(join(root, 'secret.md'), SECRET)
  writeFileSync(join(root, 'deployed-md-files/secret.md'), SECRET)
  writeFileSync(join(docs, 'secret.md'), SECRET)
  return { root, docs, outside }
}

/** Folders outside every project. Their listing must stay empty. */
const OUTSIDE = ['..', '../..', '/etc', 'folder']

test('the HTTP API never reads, writes or removes a file outside a project', async () => {
  const { root, outside } = createFolderWithLinks()
  await using library = await openProjectsService({ HANSARD_DATA: root, HANSARD_RATE_LIMIT: 'off' })
  const { service, program } = library
  const before = readOutsideFiles(outside, root)
  const part = path.map((text) =>
    text.toWellFormed().replaceAll(/[^\x21-\x7e]|[#?]/gu, encodeURIComponent),
  )
  const knownAttacks = [
    '../secret.md',
    '%2e%2e/secret.md',
    '..%2fsecret.md',
    '..%5csecret.md',
    '../../secret.md',
    'link.md',
    'folder/secret.md',
    'folder/new.md',
    'folder/sub/secret.md',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'a%00.md',
    'folder%2fsecret.md',
    '../linked/secret.md',
  ]
  const listed = async (folder: string) => {
    const path = `/projects/api/documents?folder=${encodeURIComponent(folder)}`
    return (await library.get(path)).body['documents']
  }
  // A folder inside the project may have this name, and some of the requests below create it.
  assert.deepEqual(await listed('%2e%2e'), [])
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'PUT', 'DELETE', 'HEAD'),
      fc.oneof(fc.constant('api'), fc.constant('linked'), part),
      part,
      async (method, project, document) => {
        const url = `/api/v1/projects/${project}/documents/${document}`
        if (url.length > 6_000) return
        const body = method === 'PUT' ? 'overwritten' : ''
        const headers = { ...program.key, 'content-type': 'text/plain' }
        const answer = await sendRequest(service.url, { method, path: url, headers, body })
        assert.ok(
          answer.status < 500 && !answer.text.includes(SECRET),
          `${method} ${url} ${answer.status}`,
        )
      },
    ),
    {
      seed: 20_261_116,
      numRuns: 600,
      examples: knownAttacks.flatMap((one) =>
        ['GET', 'PUT', 'DELETE'].map((method): [string, string, string] => [method, 'api', one]),
      ),
    },
  )
  for (const folder of OUTSIDE) assert.deepEqual(await listed(folder), [], folder)
  assert.deepEqual(readOutsideFiles(outside, root), before)
  assert.deepEqual(await library.search({ q: 'nobody' }), [])
})

/** The content of every file outside the projects. */
function readOutsideFiles(outside: string, root: string): Record<string, string> {
  const files = [
    ...readdirSync(outside, { recursive: true }).map((name) => join(outside, String(name))),
    join(root, 'secret.md'),
    join(root, 'deployed-md-files/secret.md'),
    join(root, 'deployed-md-files/docs/secret.md'),
  ].filter((file) => file.endsWith('.md'))
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]))
}
