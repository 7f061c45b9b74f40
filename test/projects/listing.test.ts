import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { writeProjectFile, openProjectsServiceForFile } from '../support/projects-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { assertError } from '../support/http/raw-requests.ts'

type Meeting = {
  filename: string
  title: string
  date: string
  meetingId: string | null
  status: string
}

function transcript(title: string, date: string, more = ''): string {
  return `---\ntitle: "${title}"\ndate: "${date}"\nmeetingId: "meeting_1_${title}"\n${more}---\n\n# ${title}\n`
}

const openEmpty = openProjectsServiceForFile()

test('projects are sorted by id, with the title of their README and how many transcripts and other files they have', async () => {
  const library = await openEmpty()
  library.writeFile('zeta/notes/a.md', 'words')
  library.writeFile('alpha/README.md', '---\ntitle: "The first one"\n---\n')
  library.writeFile(
    'alpha/meetings/2026-01-02 0304 - Talk.md',
    transcript('Talk', '2026-01-02T03:04:00.000Z'),
  )
  library.writeFile('Ünï 1/README.md', '---\ntitle: [not a text]\n---\n')
  library.writeFile('.hidden/a.md', 'words')
  library.writeFile('not!allowed/a.md', 'words')
  const projects = await eventually(async () => {
    const { body } = await library.get('/projects')
    const counted = body['projects'] as { meetingCount: number; documentCount: number }[]
    const indexed = counted.map((project) => project.meetingCount + project.documentCount)
    return indexed.join() === '2,1,1' ? counted : null
  })
  const none = { hasMeetings: false, meetingCount: 0, documentCount: 1, access: 'team' }
  assert.deepEqual(projects, [
    { ...none, id: 'alpha', name: 'The first one', hasMeetings: true, meetingCount: 1 },
    { ...none, id: 'zeta', name: 'zeta' },
    { ...none, id: 'Ünï 1', name: 'Ünï 1' },
  ])
  const first = await library.get('/projects?limit=2')
  assert.deepEqual((first.body['projects'] as unknown[]).length, 2)
  const rest = await library.get(`/projects?limit=2&cursor=${String(first.body['nextCursor'])}`)
  assert.deepEqual(rest.body, { projects: [projects[2]], nextCursor: null })
})

test('transcripts are sorted by date and file name, in one response or in pages', async () => {
  const library = await openEmpty()
  const same = '2026-03-01T10:00:00.000Z'
  library.writeFile('api/meetings/b.md', transcript('B', same))
  library.writeFile('api/meetings/a.md', transcript('A', same, 'participants: ["Ada", "Ben", 7]\n'))
  library.writeFile('api/meetings/old.md', transcript('Old', '2020-01-01T00:00:00.000Z'))
  library.writeFile(
    'api/meetings/new.md',
    transcript('New', '2030-01-01T00:00:00.000Z', 'status: "in_progress"\n'),
  )
  library.writeFile('api/meetings/2025-05-05 0930 - By hand.md', 'no header at all')
  library.writeFile('api/meetings/2024-05-05 0930 - Broken.md', '---\ntitle: [\n---\n')
  library.writeFile('api/meetings/notes.txt', 'no transcript')
  library.writeFile('api/meetings/deep/other.md', transcript('Deep', same))
  const list = async (query = '') =>
    (await library.get(`/projects/api/meetings${query}`)).body as unknown as {
      project: string
      meetings: Meeting[]
      nextCursor: string | null
    }
  const all = await eventually(async () => {
    const answer = await list()
    return answer.meetings?.length === 6 ? answer : null
  })
  assert.equal(all.project, 'api')
  assert.deepEqual(
    all.meetings.map(({ filename }) => filename),
    [
      'new.md',
      'a.md',
      'b.md',
      '2025-05-05 0930 - By hand.md',
      '2024-05-05 0930 - Broken.md',
      'old.md',
    ],
  )
  assert.deepEqual(all.meetings[1], {
    filename: 'a.md',
    title: 'A',
    date: same,
    meetingId: 'meeting_1_A',
    status: 'completed',
    participants: ['Ada', 'Ben'],
  })
  assert.equal(all.meetings[0]?.status, 'in_progress')
  assert.deepEqual(all.meetings[3], {
    filename: '2025-05-05 0930 - By hand.md',
    title: '2025-05-05 0930 - By hand.md',
    date: '2025-05-05T09:30:00.000Z',
    meetingId: null,
    status: 'completed',
    participants: [],
  })
  const seen: Meeting[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.meetings)
    cursor = page.nextCursor
  }
  assert.deepEqual(seen, all.meetings)
})

test('a listing without a limit returns more transcripts than one database batch', async () => {
  const library = await openEmpty()
  const count = 1_003
  for (let i = 0; i < count; i += 1) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString()
    writeProjectFile(library.data, `many/meetings/${i}.md`, transcript(`T${i}`, at))
  }
  const titles = await eventually(async () => {
    const { body } = await library.get('/projects/many/meetings')
    const meetings = (body['meetings'] ?? []) as Meeting[]
    return meetings.length === count ? meetings.map(({ title }) => title) : null
  })
  const { body: documents } = await library.get('/projects/many/documents?folder=meetings')
  assert.equal((documents['documents'] as unknown[]).length, count)
  assert.deepEqual(
    titles,
    Array.from({ length: count }, (_, i) => `T${count - 1 - i}`),
  )
})

test('documents are listed for a whole project by path, or for one folder with its subfolders', async () => {
  const library = await openEmpty()
  const paths = [
    'README.md',
    'a b/x.md',
    'a/b/c/deep.md',
    'a/b/y.md',
    'a/z.md',
    'meetings/m.md',
    'ä/😀.md',
    'ﬀ/1.md',
  ]
  for (const path of paths) library.writeFile(`api/${path}`, `words of ${path}`)
  // Sorted by bytes, as in the database.
  const sorted = paths.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)))
  await library.waitForDocuments('api', sorted)
  const listFolder = async (folder: string) => {
    const { body } = await library.get(
      `/projects/api/documents?folder=${encodeURIComponent(folder)}`,
    )
    return [body['folders'], (body['documents'] as Array<{ path: string }>).map(({ path }) => path)]
  }
  assert.deepEqual(await listFolder(''), [['a', 'a b', 'meetings', 'ä', 'ﬀ'], ['README.md']])
  assert.deepEqual(await listFolder('a'), [['b'], ['a/z.md']])
  assert.deepEqual(await listFolder('a/b'), [['c'], ['a/b/y.md']])
  assert.deepEqual(await listFolder('nothing'), [[], []])
  const { body } = await library.get('/projects/api/documents?limit=3')
  const next = await library.get(
    `/projects/api/documents?limit=3&cursor=${String(body['nextCursor'])}`,
  )
  assert.deepEqual(
    (next.body['documents'] as Array<{ path: string }>).map(({ path }) => path),
    sorted.slice(3, 6),
  )
})

test('an unknown project is not found, and an invalid cursor is refused', async () => {
  const library = await openEmpty()
  library.writeFile('api/a.md', 'words')
  await library.waitForDocuments('api', ['a.md'])
  for (const path of [
    '/projects/none/meetings',
    '/projects/none/documents',
    '/projects/none/documents/a.md',
  ]) {
    assertError(await library.get(path), 404, 'project_not_found', path)
  }
  assertError(await library.get('/projects/api/documents/none.md'), 404, 'document_not_found')
  for (const cursor of ['x', 'WzFd', 'W10', Buffer.from('["a\\u0000"]').toString('base64url')]) {
    for (const path of [
      '/projects',
      '/projects/api/meetings',
      '/projects/api/documents',
      '/search',
    ]) {
      const answer = await library.get(`${path}?q=a&cursor=${cursor}`)
      assertError(answer, 400, 'invalid_request', `${path} ${cursor}`)
    }
  }
  // Valid JavaScript dates that PostgreSQL cannot store, and texts that are not dates.
  for (const at of [-8.64e15, -210_895_000_000_000, -8.64e15 - 1, 'soon', '']) {
    const cursor = Buffer.from(JSON.stringify([String(at), 'x'])).toString('base64url')
    const answer = await library.get(`/projects/api/meetings?limit=1&cursor=${cursor}`)
    assertError(answer, 400, 'invalid_request', String(at))
  }
  for (const at of [Date.UTC(-4712, 0), 8.64e15]) {
    const cursor = Buffer.from(JSON.stringify([String(at), 'x'])).toString('base64url')
    const answer = await library.get(`/projects/api/meetings?limit=1&cursor=${cursor}`)
    assert.equal(answer.status, 200, String(at))
  }
})
