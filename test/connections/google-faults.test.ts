import { strict as assert } from 'node:assert'
import { afterEach, test } from 'node:test'
import pino from 'pino'
import { addGoogleConnection, startGoogleWorld } from '../support/google/google-world.ts'
import { addConference, PRIVATE_KEY } from '../support/google/workspace.ts'
import type { ProviderRequest } from '../support/http/provider-server.ts'
import {
  getConnection,
  listTranscripts,
  readAgain,
  removeConnections,
} from '../support/microsoft/connection-world.ts'
import { openForFile } from '../support/open-for-file.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const isEntries = ({ path }: ProviderRequest) => path.includes('/entries')
const isList = ({ path }: ProviderRequest) => path.includes('end_time')
const isCalendar = ({ path }: ProviderRequest) => path.includes('/calendar/')
const LIMITED = {
  status: 429,
  body: { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } },
  headers: { 'retry-after': '1800' },
}
const CALENDAR_LIMITED = {
  status: 403,
  body: { error: { code: 403, errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded' }] } },
}

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const world = openForFile(() => startGoogleWorld({}, {}, log))

// The next test begins without connections, meetings and faults.
afterEach(async () => {
  const { admin, google } = world()
  google.fault = null
  google.workspace.conferences = []
  google.workspace.events = []
  await removeConnections(admin)
})

test('while Google limits the requests, the connection waits as long as it asks', async () => {
  const { google, organizer, admin, clock } = world()
  addConference(google.workspace, organizer)
  google.fault = (request) => (isEntries(request) ? LIMITED : undefined)
  const { id, problem, nextPollAt } = await addGoogleConnection(world())
  assert.equal(problem?.code, 'throttled')
  assert.match(problem?.text ?? '', /^Google limits the requests/)
  assert.equal(new Date(nextPollAt).getTime() - clock.now().getTime(), 1_800_000)
  google.fault = null
  await admin.post(`/web/connections/${id}/read`)
  assert.equal((await getConnection(admin, id)).nextPollAt, nextPollAt)
  google.fault = (request) => (isCalendar(request) ? CALENDAR_LIMITED : undefined)
  assert.equal((await readAgain(world(), id, 1_801)).problem?.code, 'throttled')
  google.fault = null
  assert.equal((await readAgain(world(), id, 3_600)).transcripts.imported, 1)
})

test('a token of Google that was revoked is replaced once, and a service account that stays refused is named', async () => {
  const { google, organizer } = world()
  addConference(google.workspace, organizer)
  let revocations = 1
  google.fault = (request) => {
    if (isEntries(request) && revocations > 0) {
      revocations -= 1
      google.workspace.tokenGeneration += 1
    }
    return undefined
  }
  const { id, problem, transcripts } = await addGoogleConnection(world())
  assert.equal(problem, null)
  assert.equal(transcripts.imported, 1)
  google.fault = (request) => {
    if (isList(request)) google.workspace.tokenGeneration += 1
    return undefined
  }
  assert.equal((await readAgain(world(), id)).problem?.code, 'access_revoked')
})

test('a Google server with a problem, a dropped connection, hostile and huge answers are named and survived', async () => {
  const { google, organizer, admin } = world()
  const conference = addConference(google.workspace, organizer)
  const hostile = { name: 'conferenceRecords/../../../other', startTime: '2099-01-01T00:00:00Z' }
  const lists = {
    unavailable: { status: 503, body: '' },
    unreachable: 'drop',
    bad_answer: { status: 200, body: { conferenceRecords: [hostile] } },
  } as const
  google.fault = (request) => (isList(request) ? { status: 200, body: '<html>' } : undefined)
  const { id, problem } = await addGoogleConnection(world())
  assert.equal(problem?.code, 'bad_answer')
  for (const [code, answer] of Object.entries(lists)) {
    google.fault = (request) => (isList(request) ? answer : undefined)
    assert.equal((await readAgain(world(), id)).problem?.code, code)
  }
  const huge = { transcriptEntries: [{ text: 'x'.repeat(4_100_000) }] }
  google.fault = (request) => (isEntries(request) ? { status: 200, body: huge } : undefined)
  const { transcripts } = await readAgain(world(), id)
  assert.equal(transcripts.failed, 1)
  assert.equal((await listTranscripts(admin, id))[0]?.problem?.code, 'too_large')
  google.fault = null
  addConference(google.workspace, organizer, { endAt: conference.endAt ?? new Date(0) })
  const last = await readAgain(world(), id, 400)
  assert.equal(last.problem, null)
  assert.equal(last.transcripts.imported, 1)
})

test('a list of lines or events that never ends is given up, and the other transcripts are read', async () => {
  const { google, organizer, admin } = world()
  addConference(google.workspace, organizer)
  addConference(google.workspace, organizer)
  const entry = { text: 'Again.', startTime: '2099-01-01T00:00:00Z' }
  const endless = { status: 200, body: { transcriptEntries: [entry], nextPageToken: 'more' } }
  const calendar = { status: 200, body: { items: [], nextPageToken: 'more' } }
  google.fault = (request) => {
    if (isCalendar(request)) return isThird ? calendar : undefined
    return isEntries(request) && request.path.includes('transcript-1/') ? endless : undefined
  }
  let isThird = false
  const { id, transcripts } = await addGoogleConnection(world())
  assert.partialDeepStrictEqual(transcripts, { imported: 1, failed: 1 })
  isThird = true
  addConference(google.workspace, organizer)
  const again = await readAgain(world(), id, 400)
  // One of the events that were not read may be private.
  assert.partialDeepStrictEqual(again.transcripts, { imported: 1, failed: 2 })
  const problems = (await listTranscripts(admin, id)).map(({ problem }) => problem?.code ?? '')
  assert.deepEqual(new Set(problems), new Set(['too_large', 'unreadable', '']))
})

test('many meetings of the first day are listed and read in portions, each once', async () => {
  const { google, organizer, clock, db } = world()
  const count = IS_FULL_SIZE ? 10_000 : 30
  for (let i = 0; i < count; i += 1) {
    const endAt = new Date(clock.now().getTime() - Math.ceil((i * 80_000_000) / count))
    addConference(google.workspace, organizer, { endAt, title: null })
  }
  const before = google.requests.length
  const listed: number[] = []
  google.fault = (request) => {
    if (isList(request)) listed.push(google.requests.length)
    return undefined
  }
  const { transcripts } = await addGoogleConnection(world())
  assert.partialDeepStrictEqual(transcripts, { imported: count, waiting: 0 })
  const meetings = await db
    .selectFrom('connection_transcript')
    .innerJoin('meeting', 'meeting.id', 'meeting_id')
    .select((eb) => eb.fn.count<string>('meeting.id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(meetings.count), count)
  assert.equal(google.requests.slice(before).filter(isEntries).length, count)
  assert.equal(listed.length, Math.ceil(count / 25))
})

test('the transcripts of the first people are read before the last of many people are listed', async () => {
  const { google, organizer } = world()
  addConference(google.workspace, organizer)
  const others = Array.from({ length: 110 }, (_, i) => `unknown-${i}@example.com`)
  const before = google.requests.length
  const organizers = [organizer.address, ...others]
  const { transcripts, organizers: shown } = await addGoogleConnection(world(), { organizers })
  assert.equal(transcripts.imported, 1)
  assert.ok(shown.every(({ problem, readAt }) => problem !== null || readAt !== null))
  const requests = google.requests.slice(before)
  const first = requests.findIndex(isEntries)
  assert.ok(first !== -1 && first < requests.findLastIndex(({ path }) => path === '/token'))
})

test('the key of the service account is in no answer, no log line and no row of the database in plain text', async () => {
  const { google, organizer, admin, db } = world()
  addConference(google.workspace, organizer)
  const { id } = await addGoogleConnection(world())
  google.workspace.keys = []
  await readAgain(world(), id)
  const answers = [
    await admin.get('/web/connections'),
    await admin.post(`/web/connections/${id}/check`),
    await admin.get('/web/audit'),
  ]
  const rows = await db.selectFrom('connection').selectAll().execute()
  const everything = [...lines, JSON.stringify(answers), JSON.stringify(rows)]
  for (const { credential_sealed } of rows) everything.push(credential_sealed.toString('latin1'))
  const [, secret = ''] = PRIVATE_KEY.split('\n')
  assert.ok(secret.length > 40)
  assert.ok(everything.every((text) => !text.includes(secret)))
  assert.ok(!lines.some((line) => line.includes('eyJ') || line.includes('ya29.')))
})
