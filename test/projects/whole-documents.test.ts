import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectToDatabase, type Db } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { reindexNextEndedMeeting } from '../../src/meetings/record/segment-indexer.ts'
import { toSearchVector } from '../../src/projects/search/words/search-vector.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  bracketMatches,
  openProjectsService,
  type ProjectsService,
  type SearchHit,
  openProjectsServiceForFile,
} from '../support/projects-service.ts'

const FILLER = 'Nothing else of interest was said about it on that day. '.repeat(8)
const log = createLog('silent')

async function putAll(library: ProjectsService, texts: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    const { status } = await library.put(`/projects/api/documents/${path}`, text)
    assert.ok(status === 201 || status === 200, `${path} ${status}`)
  }
}

async function pathsOf(library: ProjectsService, q: string, more = {}): Promise<unknown[]> {
  return (await library.search({ q, ...more })).map((found) => found['path'])
}

const openEmpty = openProjectsServiceForFile()

test('words are found anywhere in a document, which is shown by its best passage after the closer matches', async () => {
  const library = await openEmpty()
  await putAll(library, {
    'close.md': `${FILLER}\n\nThe hiring depends on the budget.`,
    'apart.md': `The budget is tight. ${FILLER}\n\nHiring and hiring and hiring. ${FILLER}`,
    'title.md': `---\ntitle: "Budget of the year"\n---\n\n${FILLER}\n\nAll about hiring.`,
    'half.md': `The budget. ${FILLER}`,
  })
  const found = await library.search({ q: 'budget hiring' })
  assert.deepEqual(
    found.map((hit) => hit['path']),
    ['close.md', 'title.md', 'apart.md'],
  )
  const apart = await library.search({ q: '"budget is tight" hiring' })
  assert.deepEqual(
    apart.map((hit) => [hit['path'], bracketMatches(hit).includes('[budget] [is] [tight]')]),
    [['apart.md', true]],
  )
  const title = found.find((hit) => hit['path'] === 'title.md')
  assert.equal(title && bracketMatches(title).slice(-20), 'All about [hiring].')
  assert.equal(title?.['line'], 7)
  assert.deepEqual(await pathsOf(library, '"budget hiring"'), [])
  assert.deepEqual(await pathsOf(library, 'budget hiring', { project: 'other' }), [])
  assert.deepEqual(await pathsOf(library, 'budget hiring', { kind: 'segment' }), [])
  assert.deepEqual(await pathsOf(library, 'budget hiring', { to: '2001-01-01T00:00:00.000Z' }), [])
  const pages: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await library.get(
      `/search?q=budget+hiring&limit=1${cursor && `&cursor=${cursor}`}`,
    )
    pages.push(...(body['results'] as Array<{ path: string }>).map(({ path }) => path))
    cursor = body['nextCursor'] as string | null
  }
  assert.deepEqual(
    pages,
    found.map((hit) => hit['path']),
  )
  await putAll(library, { 'apart.md': `The budget is tight. ${FILLER}` })
  assert.deepEqual(await pathsOf(library, 'budget hiring'), ['close.md', 'title.md'])
})

test('a title and a heading with the same words are one result', async () => {
  const library = await openEmpty()
  await putAll(library, {
    'both.md': '---\ntitle: "Rutabaga harvest"\n---\n\n# Rutabaga harvest\n\nA good year.',
    'other.md': 'The rutabaga grew in a field with many other plants and a few stones besides.',
    'only.md': '---\ntitle: "A rutabaga"\n---\n\nNothing.',
  })
  const found = await library.search({ q: 'rutabaga' })
  assert.deepEqual(
    found.map((hit) => [hit['path'], hit['line']]),
    [
      ['only.md', 1],
      ['both.md', 5],
      ['other.md', 1],
    ],
  )
  assert.equal(bracketMatches(found[1] as SearchHit), '# [Rutabaga] harvest\n\nA good year.')
})

test('a search finds words inside the words of languages that join them', async () => {
  await using library = await openProjectsService()
  await putAll(library, {
    'ko.md': '연간예산을 확정했습니다. 회의록은 내일 공유합니다. 돈이 없다.',
    'de.md': 'Das Jahresbudget wurde in der Vorstandssitzung genehmigt.',
    'ar.md': 'ناقشنا والميزانية الجديدة وبالمشروع مع المديرين',
    'he.md': 'דיברנו על התקציב ובפגישה',
    'ja.md': '来年の会議室のサーバーを設定する。',
    'en.md': 'Please e-mail the notes of v2.4.1 to the corporate office.',
    'en2.md': 'An email about release 3.5.2 was sent.',
  })
  const cases: Array<[q: string, shown: string[]]> = [
    ['예산', ['[연간예산을] 확정했습니다. 회의록은 내일 공유합니다. 돈이 없다.']],
    ['예산이 회의록', ['[연간예산을] 확정했습니다. [회의록은] 내일 공유합니다. 돈이 없다.']],
    ['돈', ['연간예산을 확정했습니다. 회의록은 내일 공유합니다. [돈이] 없다.']],
    ['budget', ['Das [Jahresbudget] wurde in der Vorstandssitzung genehmigt.']],
    ['Sitzung', ['Das Jahresbudget wurde in der [Vorstandssitzung] genehmigt.']],
    ['ميزانية', ['ناقشنا [والميزانية] الجديدة وبالمشروع مع المديرين']],
    ['المشروع', ['ناقشنا والميزانية الجديدة [وبالمشروع] مع المديرين']],
    ['مدير', ['ناقشنا والميزانية الجديدة وبالمشروع مع [المديرين]']],
    ['תקציב', ['דיברנו על [התקציב] ובפגישה']],
    ['פגישה', ['דיברנו על התקציב [ובפגישה]']],
    ['会議室', ['来年の[会議室]のサーバーを設定する。']],
    ['サーバー', ['来年の会議室の[サーバー]を設定する。']],
    ['室', ['来年の会議[室]のサーバーを設定する。']],
    [
      'email',
      [
        'An [email] about release 3.5.2 was sent.',
        'Please [e]-[mail] the notes of v2.4.1 to the corporate office.',
      ],
    ],
    [
      'e-mail',
      [
        'An [email] about release 3.5.2 was sent.',
        'Please [e]-[mail] the notes of v2.4.1 to the corporate office.',
      ],
    ],
    ['2.4.1', ['Please e-mail the notes of [v2].[4].[1] to the corporate office.']],
    ['v3.5.2', ['An email about release [3].[5].[2] was sent.']],
    ['rate', []],
    ['議会', []],
  ]
  for (const [q, shown] of cases) {
    const { body } = await library.get(`/search?q=${encodeURIComponent(q)}`)
    const found = (body['results'] as Parameters<typeof bracketMatches>[0][]).map(bracketMatches)
    assert.deepEqual(found.toSorted(), shown, q)
    assert.deepEqual(body['corrections'], [], q)
  }
})

async function openInstanceDb(library: ProjectsService) {
  const opened = await connectToDatabase(
    { connectionString: library.service.databaseUrl },
    { max: 2, log },
  )
  return { db: opened.db, [Symbol.asyncDispose]: opened.close }
}

/** Runs a short meeting, and replaces its segments with these as if they were not indexed after the meeting yet. */
async function holdMeeting(library: ProjectsService, db: Db, said: Array<[string, string]>) {
  const { program } = library
  const id = await program.start('practice://host-ends?speed=1000', {
    project: 'talks',
    title: 'Zeppelin',
  })
  await program.waitForStatus(id)
  // The service also indexes the meeting. That must be done before the segments are replaced.
  while (await reindexNextEndedMeeting(db, log));
  await sql`delete from segment where meeting_id = ${id}`.execute(db)
  for (const [i, [speaker, text]] of said.entries()) {
    const words = toSearchVector(text, speaker)
    await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
      values (${id}, ${i + 1}, ${`c${i}`}, ${speaker}, ${text}, now(), ${words}::tsvector)`.execute(
      db,
    )
  }
  await sql`delete from meeting_words`.execute(db)
  return id
}

test('words of different segments find their meeting, before and after its words are collected', async () => {
  await using library = await openProjectsService()
  await using database = await openInstanceDb(library)
  const { db } = database
  const id = await holdMeeting(library, db, [
    ['Ada', 'The budget is tight.'],
    ['Ben', 'Next is the hiring, and hiring again.'],
    ['Ben', 'Thanks.'],
  ])
  const segmentsOf = async (query: Record<string, string>) =>
    (await library.search(query)).map((hit) => [hit['meetingId'], hit['segmentNumber']])
  const findMatched = async (query: Record<string, string>) => {
    const { body } = await library.get(`/search?${new URLSearchParams(query).toString()}`)
    const numbers = (body['results'] as SearchHit[]).map((hit) => hit['segmentNumber'])
    return [body['matched'], numbers]
  }
  const check = async () => {
    const [found, ...others] = await library.search({ q: 'budget hiring' })
    assert.deepEqual(others, [])
    assert.equal(found?.['meetingId'], id)
    assert.match(bracketMatches(found), /\[(?:budget|hiring)\]/)
    assert.equal((await segmentsOf({ q: 'ada hiring' })).length, 1)
    assert.equal((await segmentsOf({ q: 'budget hiring', kind: 'segment' })).length, 1)
    // A speaker who said only one of the words does not match all words.
    assert.deepEqual(await findMatched({ q: 'budget hiring', speaker: 'Ada' }), ['any', [1]])
    assert.deepEqual(await segmentsOf({ q: 'budget hiring', project: 'other' }), [])
    assert.deepEqual(await segmentsOf({ q: 'budget hiring', kind: 'document' }), [])
    assert.deepEqual(await segmentsOf({ q: '"budget hiring"' }), [])
    assert.deepEqual(await findMatched({ q: 'budget elephant' }), ['any', [1]])
    assert.deepEqual(await findMatched({ q: 'camel elephant' }), ['all', []])
  }
  // Like a meeting in progress, which no node indexes. No bot joins it.
  await sql`update meeting set words_version = 0, status = 'live', ended_at = null, claim_after = now() + interval '1 day'
    where id = ${id}`.execute(db)
  await check()
  await sql`update meeting set status = 'ended', ended_at = now() where id = ${id}`.execute(db)
  while (await reindexNextEndedMeeting(db, log));
  await eventually(async () => {
    const { rows } = await sql`select 1 from meeting_words`.execute(db)
    return rows.length === 1 ? true : null
  })
  await check()
  assert.deepEqual(await segmentsOf({ q: 'zeppelin budget' }), [[id, 1]])
  await library.program.remove(`/${id}`)
  assert.deepEqual((await sql`select 1 from meeting_words`.execute(db)).rows, [])
})

test('after an update, segments and documents that an older version indexed are found again', async () => {
  await using library = await openProjectsService()
  await using database = await openInstanceDb(library)
  const { db } = database
  await putAll(library, { 'ja.md': `会議${FILLER}\n\n予算${FILLER}` })
  await holdMeeting(library, db, [['Ada', 'Das Jahresbudget und mehr']])
  // What an earlier version stored: single characters, no parts of words, nothing about whole documents.
  await sql`update segment set words = '''jahresbudget'':2'::tsvector`.execute(db)
  await sql`delete from document_words`.execute(db)
  await sql`update passage set words = '''会'':1 ''議'':2'::tsvector`.execute(db)
  assert.deepEqual(await library.search({ q: 'budget' }), [])
  await sql`update meeting set words_version = 0`.execute(db)
  await sql`update document set stamp = '1' || substr(stamp, 2)`.execute(db)
  while (await reindexNextEndedMeeting(db, log));
  await library.waitForResults('budget', 1)
  await library.waitForResults('会議 予算', 1)
})
