import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { eventually } from '../support/time/eventually.ts'
import {
  bracketMatches,
  openProjectsService,
  type SearchHit,
  openProjectsServiceForFile,
} from '../support/projects-service.ts'
import { assertError } from '../support/http/raw-requests.ts'

const at = (found: SearchHit) => String(found['timestamp'])

const openEmpty = openProjectsServiceForFile()

test('a live meeting is found by its latest segment, and only once after its transcript is saved', async () => {
  await using library = await openProjectsService()
  const { program } = library
  const id = await program.start('practice://long?speed=4', { title: 'Planning', project: 'api' })
  await program.waitForStatus(id, ['live'])
  const segment = await eventually(async () => {
    const { body } = await program.get(`/${id}/transcript`)
    return (body['segments'] as Array<Record<string, unknown>>)[0] ?? null
  })
  const words =
    String(segment['text'])
      .match(/\p{L}{4,}/gu)
      ?.slice(0, 3)
      .join(' ') ?? ''
  const [found] = await library.search({ q: words, kind: 'segment' })
  assert.ok(found)
  assert.deepEqual(
    [
      found['meetingId'],
      found['segmentNumber'],
      found['speaker'],
      found.text,
      at(found),
      found['title'],
    ],
    [id, 1, segment['speaker'], segment['text'], segment['timestamp'], 'Planning'],
  )
  assert.ok(found.matches.length >= 3, bracketMatches(found))
  const linked = await library.get(String(found['link']).replace('/api/v1', ''))
  assert.equal(
    (linked.body['segments'] as Array<Record<string, unknown>>)[0]?.['text'],
    segment['text'],
  )

  await program.post('/stop', { meetingId: id })
  await program.waitForStatus(id)
  const { body } = await library.get('/projects/api/meetings')
  const [saved] = body['meetings'] as Array<Record<string, unknown>>
  assert.deepEqual(
    [saved?.['meetingId'], saved?.['status'], saved?.['title']],
    [id, 'completed', 'Planning'],
  )
  const again = await library.search({ q: words })
  assert.equal(again.filter(({ text }) => text === segment['text']).length, 1)
  assert.ok(again.every(({ kind }) => kind === 'segment'))
  assert.equal((await library.search({ q: 'planning', kind: 'document' })).length, 1)
})

test('a search matches prefixes, any case and missing accents, and quoted phrases exactly', async () => {
  const library = await openEmpty()
  const texts = {
    'a.md': 'The Café in Łódź serves naïve Šunka.',
    'b.md': 'Straße und Fußball in der Größe.',
    'c.md': 'Годовой бюджет утверждён. Ёлка стоит.',
    'd.md': '来年の会議の予算を決める。',
    'e.md': "We don't know the annual budget review date.",
    'f.md': 'The review of the annual report; budget later.',
  }
  for (const [path, text] of Object.entries(texts)) {
    assert.equal((await library.put(`/projects/api/documents/${path}`, text)).status, 201)
  }
  const cases: Array<[q: string, shown: string[]]> = [
    ['cafe', ['The [Café] in Łódź serves naïve Šunka.']],
    ['LODZ naiv sunka', ['The Café in [Łódź] serves [naïve] [Šunka].']],
    ['strasse', ['[Straße] und Fußball in der Größe.']],
    ['FUSSBALL grosse', ['Straße und [Fußball] in der [Größe].']],
    ['бюджет елка', ['Годовой [бюджет] утверждён. [Ёлка] стоит.']],
    ['会議', ['来年の[会議]の予算を決める。']],
    ['議会', []],
    ["don't", ["We [don]'[t] know the annual budget review date."]],
    ['"annual budget"', ["We don't know the [annual] [budget] review date."]],
    ['"annual bud"', []],
    [
      'annu budg',
      [texts['e.md'], texts['f.md']].map((text) =>
        text.replace('annual', '[annual]').replace('budget', '[budget]'),
      ),
    ],
    ['“budget review” date', ["We don't know the annual [budget] [review] [date]."]],
  ]
  for (const [q, shown] of cases) {
    const found = await library.search({ q })
    assert.deepEqual(found.map(bracketMatches).toSorted(), shown.toSorted(), q)
  }
})

test('a search for a misspelt word finds similar words in every script and reports the correction', async () => {
  const library = await openEmpty()
  await library.put(
    '/projects/api/documents/a.md',
    'The quarterly forecast was approved. Ежеквартальный прогноз.',
  )
  for (const [typo, meant] of [
    ['forcast', 'forecast'],
    ['quaterly', 'quarterly'],
    ['апрогноз', 'прогноз'],
    ['aproved', 'approved'],
  ] as const) {
    // Words are stored in the background, shortly after the document.
    const body = await eventually(async () => {
      const answer = await library.get(`/search?q=${encodeURIComponent(typo)}`)
      return (answer.body['results'] as SearchHit[]).length > 0 ? answer.body : null
    })
    assert.deepEqual(body['corrections'], [{ word: typo, meant: [meant] }])
    const [found] = body['results'] as SearchHit[]
    assert.ok(found && bracketMatches(found).toLowerCase().includes(`[${meant}]`), typo)
  }
  assert.deepEqual((await library.get('/search?q=%22forcast%22')).body['results'], [])
  assert.deepEqual((await library.get('/search?q=xylophone')).body['corrections'], [])
})

test('a search can be filtered by speaker, project, kind and time', async () => {
  await using library = await openProjectsService()
  const { program } = library
  const id = await program.start('practice://host-ends?speed=1000', {
    project: 'talks',
    title: 'Talk',
  })
  await program.waitForStatus(id)
  const { body } = await program.get(`/${id}/transcript`)
  const segments = body['segments'] as Array<{ speaker: string; text: string; timestamp: string }>
  const [first] = segments
  assert.ok(first)
  const word = /\p{L}{4,}/u.exec(first.text)?.[0] ?? ''
  await library.put(
    '/projects/notes/documents/a.md',
    `---\ntitle: "x"\ndate: "2001-05-05"\n---\n${word} again`,
  )
  const count = async (query: Record<string, string>) =>
    (await library.search({ q: word, ...query })).length
  const matching = segments.filter(({ text }) => new RegExp(`(?<!\\p{L})${word}`, 'iu').test(text))
  const bySpeaker = matching.filter(({ speaker }) => speaker === first.speaker)
  assert.equal(await count({}), matching.length + 1)
  assert.equal(await count({ kind: 'segment' }), matching.length)
  assert.equal(await count({ kind: 'document' }), 1)
  assert.equal(await count({ project: 'notes' }), 1)
  assert.equal(await count({ project: 'talks' }), matching.length)
  assert.equal(await count({ project: 'none' }), 0)
  assert.equal(await count({ speaker: first.speaker }), bySpeaker.length)
  assert.equal(await count({ speaker: 'Nobody Known' }), 0)
  assert.equal(await count({ speaker: '!' }), 0)
  assert.equal(await count({ to: '2002-01-01T00:00:00.000Z' }), 1)
  assert.equal(await count({ from: '2002-01-01T00:00:00.000Z' }), matching.length)
  assert.equal(await count({ from: '2000-01-01T00:00:00.000Z', to: '2001-05-05T00:00:00.000Z' }), 0)
})

test('the best match is first, and the pages of a search contain every result once', async () => {
  const library = await openEmpty()
  for (let i = 0; i < 7; i += 1) {
    await library.put(
      `/projects/api/documents/${i}.md`,
      `rutabagas number ${i} in a text with more words`,
    )
  }
  await library.put('/projects/api/documents/best.md', 'rutabaga')
  const seen: SearchHit[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await library.get(`/search?q=rutabaga&limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...(body['results'] as SearchHit[]))
    cursor = body['nextCursor'] as string | null
  }
  assert.equal(seen[0]?.['path'], 'best.md')
  assert.equal(new Set(seen.map((found) => found['path'])).size, 8)
})

test('a search text is never interpreted as query syntax', async () => {
  const library = await openEmpty()
  await library.put('/projects/api/documents/a.md', "it's a plain text")
  const hostile = [
    '!@#$%^&*()',
    '" " "',
    "' or 1=1 --",
    "'):*&|!<->",
    'a & | ! b',
    ':*',
    '\\',
    "plain':*B",
    '<->',
    '((((',
    '""""',
    '\ud800',
    '😀',
    '\u202e',
    '%',
    '_',
    'x'.repeat(5_000),
    'a '.repeat(2_000),
    '"a '.repeat(1_000),
    '',
    ' ',
  ]
  for (const q of hostile) {
    const answer = await library.get(`/search?q=${encodeURIComponent(q.toWellFormed())}`)
    assert.equal(answer.status, 200, `${q.slice(0, 20)} ${answer.text.slice(0, 200)}`)
  }
  assert.equal((await library.search({ q: "plain' & !text" })).length, 1)
  assertError(await library.get('/search'), 400, 'invalid_request')
  const zero = await library.get('/search?q=a%00b')
  assertError(zero, 400, 'invalid_request')
  assert.match(JSON.stringify(zero.body['details']), /"path":"q"/)
  assertError(
    await library.get('/search?q=a&from=yesterday&kind=x&limit=0'),
    400,
    'invalid_request',
  )
})

test('a search text of 8,192 characters is accepted, and a longer one gets 400', async () => {
  const library = await openEmpty()
  for (const character of ['x', 'é', '語', '😀']) {
    const encoded = encodeURIComponent(character)
    const longest = await library.get(`/search?q=${encoded.repeat(8_192)}`)
    assert.equal(longest.status, 200, `${character} ${longest.text.slice(0, 200)}`)
    const longer = await library.get(`/search?q=${encoded.repeat(8_193)}`)
    assertError(longer, 400, 'invalid_request', character)
    assert.match(JSON.stringify(longer.body['details']), /"path":"q"/)
  }
  assertError(await library.get(`/search?q=${'x'.repeat(130 * 1024)}`), 414, 'url_too_long')
  assertError(await library.get(`/search?q=${'x'.repeat(200 * 1024)}`), 431, 'headers_too_large')
})

test('a search that nothing matches completely finds what has some of its words, and says so', async () => {
  const library = await openEmpty()
  const texts = {
    'a.md': 'The annual budget was approved by the council.',
    'b.md': 'The council met.',
    'c.md': 'Zebras were not there.',
  }
  for (const [path, text] of Object.entries(texts))
    await library.put(`/projects/api/documents/${path}`, text)
  const find = async (q: string) => {
    const { body } = await library.get(`/search?q=${encodeURIComponent(q)}`)
    return {
      matched: body['matched'],
      shown: (body['results'] as SearchHit[]).map(bracketMatches),
    }
  }
  assert.deepEqual(await find('annual council'), {
    matched: 'all',
    shown: ['The [annual] budget was approved by the [council].'],
  })
  assert.deepEqual(await find('What budgets did the council and the zebra approve?'), {
    matched: 'any',
    shown: [
      'The annual [budget] was [approved] by the [council].',
      '[Zebras] were not there.',
      'The [council] met.',
    ],
  })
  assert.deepEqual(await find('"the council" zebras'), { matched: 'all', shown: [] })
  assert.deepEqual(await find('of the and'), { matched: 'all', shown: [] })
  assert.equal((await find('a pipe of 5" for the council and the zebras')).matched, 'any')
  const pages: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `q=budget+council+zebra&limit=1${cursor && `&cursor=${cursor}`}`
    const { body } = await library.get(`/search?${query}`)
    pages.push(...(body['results'] as SearchHit[]).map((hit) => String(hit['path'])))
    cursor = body['nextCursor'] as string | null
  }
  assert.deepEqual(pages.toSorted(), ['a.md', 'b.md', 'c.md'])
  // A question in a script without spaces is one word.
  await library.put('/projects/api/documents/d.md', '新製品の価格は三千円に決まりました。')
  const { matched, shown } = await find('新製品の発売日はいつですか')
  assert.deepEqual([matched, shown.length], ['any', 1])
})
