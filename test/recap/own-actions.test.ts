import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertError } from '../support/http/raw-requests.ts'
import { seedMeetingsWithRecaps } from '../support/meetings/seed-recap.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(async () => {
  const service = await startService()
  const ada = await service.adminClient()
  await ada.put('/web/profile', { name: 'Ada Lovelace' })
  return { service, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

const DAY = (day: number) => new Date(Date.UTC(2026, 9, day, 9))
const LONG = `${'The offices move to the new building in spring, '.repeat(6)}says Ben.`

test('a listed meeting has the first sentence of its recap, cut after a word', async () => {
  const { service, ada } = opened()
  await seedMeetingsWithRecaps(service.databaseUrl, [
    {
      title: 'One',
      startedAt: DAY(1),
      project: 'gists',
      summary: ['We hire two people.', 'More.'],
    },
    { title: 'Two', startedAt: DAY(2), project: 'gists', summary: [LONG] },
    { title: 'Three', startedAt: DAY(3), project: 'gists' },
    { title: 'Four', startedAt: DAY(4), project: 'gists', summary: [] },
  ])
  const { body } = await ada.get('/web/meetings?project=gists')
  const meetings = body['meetings'] as Array<{ title: string; gist: string | null }>
  const gists = Object.fromEntries(meetings.map(({ title, gist }) => [title, gist]))
  const { Two, ...others } = gists
  assert.deepEqual(others, { One: 'We hire two people.', Three: null, Four: null })
  assert.match(Two ?? '', /^The offices move .*[a-z,]…$/)
  assert.ok((Two ?? '').length <= 160 && LONG.startsWith((Two ?? '').slice(0, -1)))
})

test('an active meeting has what was said last', async () => {
  const { ada } = opened()
  const started = await ada.post('/web/meetings/start', {
    url: 'practice://long?speed=50',
    project: 'lines',
  })
  const { meetingId } = started.body as { meetingId?: string }
  for (const path of ['/web/meetings?project=lines', '/web/meetings/status']) {
    const gist = await eventually(async () => {
      const { body } = await ada.get(path)
      const meetings = body['meetings'] as Array<{ meetingId: string; gist: string | null }>
      return meetings.find((meeting) => meeting.meetingId === meetingId)?.gist ?? null
    })
    assert.match(gist, /^\S.*: \S/)
  }
  await ada.post('/web/meetings/stop', { meetingId })
})

test('`mine` lists the items whose owner is the caller, for a person and for a personal token', async () => {
  const { service, ada } = opened()
  const actions = [
    { text: 'full name', owner: 'Ada Lovelace' },
    { text: 'other spelling', owner: 'LOVELACE, ADÁ' },
    { text: 'address', owner: 'ada@example.com' },
    { text: 'first name', owner: 'Ada' },
    { text: 'of Ben', owner: 'Ben' },
    { text: 'of Adam', owner: 'Adam Lovelace' },
    { text: 'of no one', owner: null },
    { text: 'ticked', owner: 'Ada Lovelace', state: 'done' as const },
  ]
  await seedMeetingsWithRecaps(service.databaseUrl, [
    { title: 'Mine', startedAt: DAY(5), project: 'mine', summary: ['Work.'], actions },
  ])
  const program = service.anonymousClient()
  const list = async (query: string, headers = {}) => {
    const person = Object.keys(headers).length === 0 ? ada : program
    const path = person === ada ? '/web/actions' : '/api/v1/actions'
    const { body } = await person.get(`${path}?mine=true&project=mine${query}`, headers)
    return (body['actions'] as Array<{ text: string }>).map(({ text }) => text)
  }
  const own = ['full name', 'other spelling', 'address', 'first name']
  assert.deepEqual(await list(''), own)
  assert.deepEqual(await list('&state=done'), ['ticked'])
  assert.deepEqual(await list('&owner=lovelace'), ['full name', 'other spelling'])
  const { apiKey } = await ada.createToken({ name: 'mine' })
  assert.deepEqual(await list('', { 'x-api-key': apiKey }), own)

  const robot = await ada.createToken({ name: 'robot', kind: 'service' })
  const refused = await program.get('/api/v1/actions?mine=true', { 'x-api-key': robot.apiKey })
  assertError(refused, 400, 'invalid_request')

  // Another Ada makes the first name ambiguous.
  await seedMeetingsWithRecaps(service.databaseUrl, [
    {
      title: 'Customer',
      startedAt: DAY(6),
      project: 'customers',
      summary: ['Work.'],
      actions: [{ text: 'of another', owner: 'Ada Kim' }],
    },
  ])
  assert.deepEqual(await list(''), own.slice(0, 3))
})

test('`order=due` lists by due date over all meetings, page by page, without a date last', async () => {
  const { service, ada } = opened()
  const item = (text: string, dueDate?: string) => ({
    text,
    owner: 'Zoe',
    ...(dueDate && { dueDate }),
  })
  await seedMeetingsWithRecaps(service.databaseUrl, [
    {
      title: 'Older',
      startedAt: DAY(7),
      project: 'due',
      summary: ['Work.'],
      actions: [item('first', '2026-10-01'), item('third', '2026-10-20'), item('sixth')],
    },
    {
      title: 'Newer',
      startedAt: DAY(8),
      project: 'due',
      summary: ['Work.'],
      actions: [item('fifth'), item('fourth', '2026-12-01'), item('second', '2026-10-20')],
    },
  ])
  const found: string[] = []
  let cursor = ''
  do {
    const page = await ada.get(`/web/actions?project=due&order=due&limit=2${cursor}`)
    const { actions, nextCursor } = page.body as {
      actions?: Array<{ text: string }>
      nextCursor?: string | null
    }
    found.push(...(actions ?? []).map(({ text }) => text))
    cursor = nextCursor ? `&cursor=${nextCursor}` : ''
    // A cursor is only valid for the order in which it was created.
    if (cursor !== '')
      assertError(await ada.get(`/web/actions?project=due${cursor}`), 400, 'invalid_request')
  } while (cursor !== '')
  assert.deepEqual(found, ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'])
})
