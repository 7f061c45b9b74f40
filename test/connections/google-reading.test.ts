import { strict as assert } from 'node:assert'
import { afterEach, test } from 'node:test'
import {
  addGoogleConnection,
  googleFields,
  startGoogleWorld,
  type GoogleWorld,
} from '../support/google/google-world.ts'
import {
  addConference,
  addUser,
  CALENDAR_SCOPE,
  formatKeyFile,
  type WorkspaceUser,
} from '../support/google/workspace.ts'
import {
  listTranscripts,
  PROJECT,
  readAgain,
  removeConnections,
} from '../support/microsoft/connection-world.ts'
import { seedMeeting } from '../support/meetings/seed-meeting.ts'
import { openForFile } from '../support/open-for-file.ts'
import { ADMIN } from '../support/service/admin-user.ts'

const world = openForFile(() => startGoogleWorld())

// Other connections would be read too when the clock moves.
afterEach(() => removeConnections(world().admin))

let people = 0
/** A person of the organization with no meetings yet. */
function addPerson(): WorkspaceUser {
  people += 1
  return addUser(world().google.workspace, `person-${people}@example.com`)
}

const connect = (person: WorkspaceUser, fields: object = {}) =>
  addGoogleConnection(world(), { organizers: [person.address], ...fields })

async function listMeetings({ db }: GoogleWorld, connectionId: string) {
  return db
    .selectFrom('meeting')
    .innerJoin('connection_transcript as found', 'found.meeting_id', 'meeting.id')
    .select(['meeting.id', 'title', 'project', 'meeting.started_at as startedAt'])
    .where('found.connection_id', '=', connectionId)
    .orderBy('meeting.started_at')
    .execute()
}

function withoutScope(scope: string): Disposable {
  const { workspace } = world().google
  const before = workspace.delegatedScopes
  workspace.delegatedScopes = before.filter((one) => one !== scope)
  return { [Symbol.dispose]: () => void (workspace.delegatedScopes = before) }
}

const countRequests = (part: string) =>
  world().google.requests.filter(({ path }) => path.includes(part)).length

test('a transcript of Google Meet becomes a meeting with title, start and the names of accounts, guests and telephones', async () => {
  const { google, admin } = world()
  const person = addPerson()
  const texts = ['One.', 'Two.', 'Three.', 'Four.']
  const conference = addConference(google.workspace, person, { title: 'Budget 2100', texts })
  const { id, kind, cloud, tenant, thumbprint } = await connect(person)
  assert.deepEqual([kind, cloud, tenant, thumbprint?.length], ['google', null, null, 40])
  const [found] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(found, {
    state: 'imported',
    organizer: person.address,
    problem: null,
  })
  const { body } = await admin.get(`/web/meetings/${found?.meetingId}`)
  assert.partialDeepStrictEqual(body['meeting'], {
    title: 'Budget 2100',
    project: PROJECT,
    detail: 'Official transcript of Google Meet',
    startedAt: conference.transcripts[0]?.startAt.toISOString(),
  })
  const transcript = await admin.get(`/web/meetings/${found?.meetingId}/transcript`)
  const lines = transcript.body['segments'] as Array<{ speaker: string; text: string }>
  assert.deepEqual(
    lines.map(({ speaker, text }) => `${speaker}: ${text}`),
    ['Ada Lovelace: One.', 'Grace Hopper: Two.', '+44 ••• ••• ••12: Three.', 'Ada Lovelace: Four.'],
  )
})

test('a private event and an excluded title are not read, and their titles are stored nowhere', async () => {
  const { google, admin, db } = world()
  const person = addPerson()
  addConference(google.workspace, person, { title: 'Doctor', visibility: 'private' })
  addConference(google.workspace, person, { title: 'Doctor', visibility: 'confidential' })
  addConference(google.workspace, person, { title: 'ANNUAL\u00a0 Salary review' })
  const before = countRequests('/entries')
  const { id, transcripts } = await connect(person, { excludedTitles: ['annual salary'] })
  assert.equal(transcripts.excluded, 3)
  const reasons = (await listTranscripts(admin, id)).map(({ problem }) => problem?.code)
  assert.equal(reasons.filter((code) => code === 'event_private').length, 2)
  assert.ok(reasons.includes('title_excluded'))
  assert.equal(countRequests('/entries'), before)
  const rows = JSON.stringify(await db.selectFrom('connection_transcript').selectAll().execute())
  assert.ok(!/Doctor|Salary/.test(rows))
})

test('without the calendar, meetings get a plain title with the date, and no title can be excluded', async () => {
  const { google, admin, clock } = world()
  const person = addPerson()
  using _ = withoutScope(CALENDAR_SCOPE)
  addConference(google.workspace, person)
  const before = countRequests('/calendar/')
  const { id, problem } = await connect(person, { readsCalendar: false })
  assert.equal(problem, null)
  assert.match((await listMeetings(world(), id))[0]?.title ?? '', /^Google Meet, \d+ \w+ \d{4}$/)
  assert.equal(countRequests('/calendar/'), before)
  const fields = { ...googleFields(clock), readsCalendar: false, excludedTitles: ['salary'] }
  const refused = await admin.post('/web/connections', fields)
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /excludedTitles/)
  const change = { excludedTitles: ['salary'] }
  assert.equal((await admin.request('PATCH', `/web/connections/${id}`, change, {})).status, 400)
})

test('a meeting without an event, and one whose event has no title, get a plain title', async () => {
  const { google } = world()
  const person = addPerson()
  addConference(google.workspace, person, { title: null })
  addConference(google.workspace, person)
  const event = google.workspace.events.at(-1)
  assert.ok(event)
  event.title = undefined
  const { id } = await connect(person)
  const titles = (await listMeetings(world(), id)).map(({ title }) => title ?? '')
  assert.equal(titles.filter((title) => title.startsWith('Google Meet, ')).length, 2)
})

test('each occurrence of a repeated event has the privacy and title of its own day', async () => {
  const { google, clock } = world()
  const person = addPerson()
  const { meetingCode } = addConference(google.workspace, person, { title: 'Today' })
  const yesterday = new Date(clock.now().getTime() - 10 * 3_600_000)
  const visibility = 'private'
  const event = { id: 'before', calendar: person.address, visibility, meetingCode } as const
  google.workspace.events.unshift({ ...event, title: 'Earlier', startAt: yesterday })
  google.workspace.pageSize = 1
  const { id } = await connect(person)
  google.workspace.pageSize = 100
  assert.deepEqual(
    (await listMeetings(world(), id)).map(({ title }) => title),
    ['Today'],
  )
})

test('an invitation with the code of the meeting does not decide what is private', async () => {
  const { google } = world()
  const person = addPerson()
  const { meetingCode, startAt, transcripts } = addConference(google.workspace, person, {
    visibility: 'private',
  })
  google.workspace.events.push({
    id: 'invitation',
    calendar: person.address,
    title: 'Public after all',
    visibility: 'public',
    startAt: transcripts[0]?.startAt ?? startAt,
    meetingCode,
    isInvitation: true,
  })
  const { transcripts: counts } = await connect(person)
  assert.partialDeepStrictEqual(counts, { excluded: 1, imported: 0 })
})

test('further rounds list only what ended since the last one, with an overlap, and store nothing twice', async () => {
  const { google, clock } = world()
  const person = addPerson()
  google.workspace.pageSize = 2
  for (let i = 0; i < 5; i += 1) addConference(google.workspace, person)
  const { id, transcripts } = await connect(person)
  assert.equal(transcripts.imported, 5)
  const entries = countRequests('/entries')
  clock.advance(4 * 3_600)
  await readAgain(world(), id)
  const before = google.requests.length
  addConference(google.workspace, person, { title: 'The next one' })
  const again = await readAgain(world(), id, 400)
  google.workspace.pageSize = 100
  assert.equal(again.transcripts.imported, 6)
  assert.equal(countRequests('/entries'), entries + 1)
  const lists = google.requests.slice(before).filter(({ path }) => path.includes('end_time'))
  assert.equal(lists.length, 1)
})

test('a page token that became too old leads to a full read without doubles', async () => {
  const { google } = world()
  const person = addPerson()
  google.workspace.pageSize = 2
  for (let i = 0; i < 5; i += 1) addConference(google.workspace, person)
  let outdated = 1
  google.fault = ({ path }) => {
    if (!path.includes('pageToken') || !path.includes('end_time') || outdated === 0)
      return undefined
    outdated -= 1
    google.workspace.pageGeneration += 1
    return undefined
  }
  const { id, transcripts, problem } = await connect(person)
  google.fault = null
  google.workspace.pageSize = 100
  assert.equal(problem, null)
  assert.equal(transcripts.imported, 5)
  assert.equal((await listMeetings(world(), id)).length, 5)
})

test('a transcript that is not complete waits, and one without lines says why', async () => {
  const { google, admin, clock } = world()
  const person = addPerson()
  const [running] = addConference(google.workspace, person).transcripts
  const day = new Date(clock.now().getTime() - 12 * 3_600_000)
  addConference(google.workspace, person, { endAt: day, texts: [] })
  assert.ok(running)
  running.state = 'ENDED'
  const { id } = await connect(person)
  const states = async () =>
    (await listTranscripts(admin, id)).map(({ state, problem }) => [state, problem?.code])
  assert.deepEqual(await states(), [
    ['waiting', 'not_ready'],
    ['failed', 'no_entries'],
  ])
  running.state = 'FILE_GENERATED'
  await readAgain(world(), id, 601)
  assert.deepEqual(await states(), [
    ['imported', undefined],
    ['failed', 'no_entries'],
  ])
})

test('a transcript that Google deleted before it was read is expired', async () => {
  const { google, admin } = world()
  const person = addPerson()
  const conference = addConference(google.workspace, person, {
    endAt: new Date(world().clock.now().getTime() - 5 * 3_600_000),
  })
  google.fault = ({ path }) => {
    if (path.includes('/transcripts/')) google.workspace.conferences.splice(0)
    return undefined
  }
  const { id } = await connect(person)
  google.fault = null
  const [found] = await listTranscripts(admin, id)
  assert.deepEqual([found?.state, found?.problem?.code], ['expired', 'not_found'])
  assert.equal(found?.beganAt, conference.transcripts[0]?.startAt.toISOString())
})

test('a transcript that Google changed later is marked, and the stored meeting stays as it is', async () => {
  const { google, admin, clock } = world()
  const person = addPerson()
  const [transcript] = addConference(google.workspace, person).transcripts
  const { id } = await connect(person)
  assert.ok(transcript)
  await readAgain(world(), id, 400)
  assert.equal((await listTranscripts(admin, id))[0]?.changedAt, null)
  transcript.lines.pop()
  transcript.endAt = clock.now()
  await readAgain(world(), id, 400)
  const [found] = await listTranscripts(admin, id)
  assert.deepEqual([found?.state, found?.changedAt], ['imported', clock.now().toISOString()])
  const { body } = await admin.get(`/web/meetings/${found?.meetingId}/transcript`)
  assert.equal((body['segments'] as []).length, 2)
})

test('without a project, transcripts go into a private project of the organizer, and only with an account here', async () => {
  const { google, admin } = world()
  const stranger = addPerson()
  const me = addUser(google.workspace, ADMIN.email)
  addConference(google.workspace, stranger)
  addConference(google.workspace, me, { title: 'Mine' })
  const organizers = [stranger.address, me.address]
  const { id, organizers: shown } = await connect(me, { project: null, organizers })
  assert.deepEqual(
    Object.fromEntries(shown.map(({ address, problem }) => [address, problem?.code])),
    { [stranger.address]: 'no_account', [me.address]: undefined },
  )
  const [meeting, ...others] = await listMeetings(world(), id)
  assert.equal(others.length, 0)
  assert.match(meeting?.project ?? '', /-private$/)
  assert.equal((await listTranscripts(admin, id)).length, 1)
})

test('hostile names and lines are stored as text', async () => {
  const { google, admin } = world()
  const person = addPerson()
  const texts = ['"},{"text":"<v Eve>\n\n00:00 --> 00:01\u0000', '</v><script>']
  const conference = addConference(google.workspace, person, { texts, title: '<b>\u202e</b>' })
  const [ada] = conference.participants
  assert.ok(ada)
  ada.name = 'Ada\n<v Eve>: "\u0000'
  const { id, problem } = await connect(person)
  assert.equal(problem, null)
  const [found] = await listTranscripts(admin, id)
  const { body } = await admin.get(`/web/meetings/${found?.meetingId}/transcript`)
  const lines = body['segments'] as Array<{ speaker: string; text: string }>
  assert.equal(lines.length, 2)
  assert.match(lines[0]?.speaker ?? '', /^Ada.<v Eve>/)
  assert.equal(lines[1]?.text, '</v><script>')
})

test('a key of another form is refused with the reason, and so is that of another service account', async () => {
  const { admin, clock } = world()
  const create = (serviceAccountKey: string) =>
    admin.post('/web/connections', { ...googleFields(clock), serviceAccountKey })
  const cases = {
    'no JSON': /JSON file of a service account/,
    [formatKeyFile({ type: 'authorized_user' })]: /its type/,
    [formatKeyFile({ token_uri: 'https://evil.example/token' })]: /its token_uri/,
    [formatKeyFile({ universe_domain: 'evil.example' })]: /its universe_domain/,
    [formatKeyFile({ client_email: 'ada@example.com' })]: /its client_email/,
    [formatKeyFile({ private_key: 'no key' })]: /RSA key/,
  }
  for (const [key, message] of Object.entries(cases)) {
    const { status, body } = await create(key)
    assert.equal(status, 400)
    assert.match(JSON.stringify(body['details']), message)
    assert.match(JSON.stringify(body['details']), /"serviceAccountKey"/)
  }
  const unused = { ...googleFields(clock), clientSecret: 'x' }
  assert.equal((await admin.post('/web/connections', unused)).status, 400)
  const { id } = await connect(addPerson())
  const change = { serviceAccountKey: formatKeyFile({ client_id: '99887766554433221100' }) }
  const { status, body } = await admin.request('PATCH', `/web/connections/${id}`, change, {})
  assert.equal(status, 400)
  assert.match(JSON.stringify(body['details']), /another service account/)
  const same = { serviceAccountKey: formatKeyFile() }
  assert.equal((await admin.request('PATCH', `/web/connections/${id}`, same, {})).status, 200)
})

test('a transcript goes into the meeting that a bot attended with the same code, even without the calendar', async () => {
  const { google, admin, clock, db } = world()
  const person = addPerson()
  const { meetingCode } = addConference(google.workspace, person)
  const meetingId = await seedMeeting(db, {
    platform: 'google_meet',
    room: meetingCode,
    project: PROJECT,
    status: 'ended',
    started_at: new Date(clock.now().getTime() - 600_000),
    live_at: new Date(clock.now().getTime() - 500_000),
    ended_at: clock.now(),
  })
  const { id } = await connect(person, { readsCalendar: false })
  const [row] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(row, { state: 'imported', meetingId })
  const { body } = await admin.get(`/web/meetings/${meetingId}/transcript`)
  assert.equal((body['segments'] as object[]).length, 2)
})

test('a meeting in Google Meet waits for its official transcript without a bot, and ends with it', async () => {
  const { google, admin, clock } = world()
  const person = addPerson()
  const { id } = await connect(person)
  const conference = addConference(google.workspace, person, { title: 'Roadmap' })
  const url = `https://meet.google.com/${conference.meetingCode}`
  const started = await admin.post('/web/meetings/start', {
    url,
    project: PROJECT,
    capture: 'official',
  })
  assert.equal(started.status, 201)
  const meetingId = String(started.body['meetingId'])
  clock.advance(1_200)
  const [transcript] = conference.transcripts
  conference.endAt = clock.now()
  if (transcript) transcript.endAt = clock.now()
  await readAgain(world(), id, 400)
  const [row] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(row, { state: 'imported', meetingId })
  const { body } = await admin.get(`/web/meetings/${meetingId}`)
  assert.partialDeepStrictEqual(body['meeting'], {
    status: 'ended',
    title: 'Roadmap',
    platform: 'google_meet',
    segmentCount: 2,
  })
})
