import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import {
  addConnection,
  ORGANIZER,
  listTranscripts,
  PROJECT,
  readAgain,
  startConnectionWorld,
  type ConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { addTranscript, addUser, formatTeamsVtt, listAgain } from '../support/microsoft/tenant.ts'

const world = openForFile(() => startConnectionWorld())

type MeetingRow = { id: string; title: string | null; project: string; startedAt: Date }

function listMeetings({ db }: ConnectionWorld): Promise<MeetingRow[]> {
  return db
    .selectFrom('meeting')
    .select(['id', 'title', 'project', 'started_at as startedAt'])
    .orderBy('started_at')
    .execute()
}

/** The requests for contents since the given number of requests. */
function contentRequests({ microsoft }: ConnectionWorld, since = 0): string[] {
  return microsoft.requests
    .slice(since)
    .flatMap(({ path }) => (path.includes('/content') ? path : []))
}

test('a transcript becomes a meeting with its title, start, lines, document and event, as an import does', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer, admin, clock, service } = own
  const createdAt = new Date(clock.now().getTime() - 3_600_000)
  addTranscript(microsoft.tenant, organizer, { subject: 'Budget 2100', createdAt })
  const connection = await addConnection(own)
  assert.deepEqual(connection.transcripts, {
    waiting: 0,
    imported: 1,
    excluded: 0,
    expired: 0,
    failed: 0,
  })
  const [transcript] = await listTranscripts(admin, connection.id)
  assert.partialDeepStrictEqual(transcript, {
    state: 'imported',
    organizer: ORGANIZER,
    problem: null,
  })
  const { body } = await admin.get(`/web/meetings/${transcript?.meetingId}`)
  const meeting = body['meeting'] as Record<string, unknown>
  assert.partialDeepStrictEqual(meeting, {
    title: 'Budget 2100',
    project: PROJECT,
    platform: 'imported',
    status: 'ended',
    detail: 'Official transcript of Microsoft Teams',
    startedAt: createdAt.toISOString(),
  })
  const lines = (await admin.get(`/web/meetings/${transcript?.meetingId}/transcript`)).body[
    'segments'
  ] as Array<{ speaker: string; text: string }>
  assert.deepEqual(
    lines.map(({ speaker, text }) => `${speaker}: ${text}`),
    ['Ada Lovelace: Good morning, everybody.', 'Grace Hopper: This is meeting number 1.'],
  )
  const document = readFileSync(join(service.dataFolder, String(meeting['documentPath'])), 'utf8')
  assert.match(document, /Grace Hopper/)
})

test('further transcripts are read from the delta link, and a transcript that is listed again is not imported again', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer, admin } = own
  microsoft.tenant.pageSize = 3
  const first = addTranscript(microsoft.tenant, organizer)
  for (let i = 0; i < 7; i += 1) addTranscript(microsoft.tenant, organizer)
  const { id, transcripts } = await addConnection(own)
  assert.equal(transcripts.imported, 8)
  const before = microsoft.requests.length
  addTranscript(microsoft.tenant, organizer, { subject: 'The next one' })
  listAgain(microsoft.tenant, first)
  const again = await readAgain(own, id)
  assert.equal(again.transcripts.imported, 9)
  assert.equal((await listMeetings(own)).length, 9)
  const lists = microsoft.requests.slice(before).filter(({ path }) => path.includes('/delta'))
  assert.equal(lists.length, 1)
  assert.match(lists[0]?.path ?? '', /\$deltatoken=8/)
  assert.ok((await listTranscripts(admin, id)).every(({ changedAt }) => changedAt === null))
})

test('a transcript that Microsoft changed later is marked, and the stored meeting stays as it is', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer, admin, clock } = own
  const transcript = addTranscript(microsoft.tenant, organizer)
  const { id } = await addConnection(own)
  transcript.content = formatTeamsVtt('This is what was said indeed.')
  listAgain(microsoft.tenant, transcript)
  await readAgain(own, id)
  const [row] = await listTranscripts(admin, id)
  assert.equal(row?.state, 'imported')
  assert.equal(row?.changedAt, clock.now().toISOString())
  const { body } = await admin.get(`/web/meetings/${row?.meetingId}/transcript`)
  assert.match(JSON.stringify(body), /This is meeting number 1/)
})

test('a meeting that a person deleted does not come back', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer, admin } = own
  const transcript = addTranscript(microsoft.tenant, organizer)
  const { id } = await addConnection(own)
  const [row] = await listTranscripts(admin, id)
  assert.equal((await admin.delete(`/web/meetings/${row?.meetingId}`)).status, 200)
  listAgain(microsoft.tenant, transcript)
  await readAgain(own, id)
  assert.deepEqual(await listMeetings(own), [])
})

test('an expired delta link leads to a full read without doubles', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer } = own
  for (let i = 0; i < 3; i += 1) addTranscript(microsoft.tenant, organizer)
  const { id } = await addConnection(own)
  microsoft.tenant.oldestDelta = 1_000
  addTranscript(microsoft.tenant, organizer)
  const { transcripts, problem } = await readAgain(own, id)
  assert.equal(problem, null)
  assert.equal(transcripts.imported, 4)
  assert.equal((await listMeetings(own)).length, 4)
})

test('a meeting whose title has an excluded text is not read, and its title is stored nowhere', async () => {
  const { microsoft, organizer, admin, db } = world()
  const subject = 'Gehaltsrunde: ANNUAL\u00a0 Salary review'
  addTranscript(microsoft.tenant, organizer, { subject })
  const before = microsoft.requests.length
  const { id } = await addConnection(world(), { excludedTitles: ['annual salary'] })
  const [row] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(row, { state: 'excluded', meetingId: null })
  assert.equal(row?.problem?.code, 'title_excluded')
  assert.deepEqual(contentRequests(world(), before), [])
  const { rows } = await admin
    .get('/web/audit')
    .then(({ body }) => ({ rows: JSON.stringify(body) }))
  assert.ok(!rows.includes(subject))
  assert.ok(
    !JSON.stringify(await db.selectFrom('connection_transcript').selectAll().execute()).includes(
      'Gehalt',
    ),
  )
  await admin.delete(`/web/connections/${id}`)
  microsoft.tenant.transcripts.length = 0
})

test('without a project, a transcript goes into a private project of its organizer, and only after they have an account', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer, admin } = own
  const { email } = ADMIN
  const me = addUser(microsoft.tenant, email)
  addTranscript(microsoft.tenant, organizer)
  addTranscript(microsoft.tenant, me, { subject: 'Mine' })
  const { id, organizers } = await addConnection(own, {
    project: null,
    organizers: [ORGANIZER, email],
  })
  assert.deepEqual(
    organizers.map(({ address, problem }) => [address, problem?.code ?? null]),
    [
      [email, null],
      [ORGANIZER, 'no_account'],
    ],
  )
  const [meeting, ...others] = await listMeetings(own)
  assert.equal(others.length, 0)
  assert.equal(meeting?.title, 'Mine')
  assert.match(meeting?.project ?? '', /-private$/)
  const access = await own.db
    .selectFrom('project_access')
    .select('access')
    .where('project', '=', meeting?.project ?? '')
    .executeTakeFirst()
  assert.equal(access?.access, 'private')
  // Nothing of the other person was stored.
  assert.equal((await listTranscripts(admin, id)).length, 1)
})

test('a transcript that is not ready waits, and one that expired says so', async () => {
  await using own = await startConnectionWorld()
  const { microsoft, organizer, admin, clock } = own
  const fresh = addTranscript(microsoft.tenant, organizer)
  const createdAt = new Date(clock.now().getTime() - 10 * 3_600_000)
  const old = addTranscript(microsoft.tenant, organizer, { createdAt })
  fresh.isGone = true
  old.isGone = true
  const { id } = await addConnection(own)
  const states = async () =>
    (await listTranscripts(admin, id)).map(({ state, problem }) => [state, problem?.code])
  assert.deepEqual(await states(), [
    ['waiting', 'not_ready'],
    ['expired', 'not_found'],
  ])
  fresh.isGone = false
  await readAgain(own, id, 601)
  assert.deepEqual(await states(), [
    ['imported', undefined],
    ['expired', 'not_found'],
  ])
})

test('a transcript that cannot be read is final, shows no text of the meeting, and the others are read', async () => {
  const { microsoft, organizer, admin } = world()
  const content = 'WEBVTT\n\n00:00:99.x --> later\n<v Ada>The merger is secret.</v>\n'
  addTranscript(microsoft.tenant, organizer, { content })
  addTranscript(microsoft.tenant, organizer, { content: 'WEBVTT\n\n' })
  addTranscript(microsoft.tenant, organizer, { subject: 'A good one' })
  const { id, problem, transcripts } = await addConnection(world())
  assert.equal(problem, null)
  assert.partialDeepStrictEqual(transcripts, { failed: 2, imported: 1 })
  const rows = await listTranscripts(admin, id)
  assert.ok(!JSON.stringify(rows).includes('merger'))
  await admin.delete(`/web/connections/${id}`)
  microsoft.tenant.transcripts.length = 0
})

test('times as Graph writes them are read, and lines from before the transcription began come first', async () => {
  const { microsoft, organizer, admin, clock } = world()
  const content =
    'WEBVTT\n\n-0:1:0.0 --> -0:0:55.5\n<v Ada>Before it began.</v>\n\n0:0:0.0 --> 0:0:5.320\n<v Grace>Now it runs.</v>\n'
  const createdAt = new Date(clock.now().getTime() - 600_000)
  addTranscript(microsoft.tenant, organizer, { content, createdAt })
  const { id } = await addConnection(world())
  const [row] = await listTranscripts(admin, id)
  const { body } = await admin.get(`/web/meetings/${row?.meetingId}/transcript`)
  const lines = body['segments'] as Array<{ text: string; timestamp: string }>
  assert.deepEqual(
    lines.map(({ text, timestamp }) => [text, new Date(timestamp).getTime() - createdAt.getTime()]),
    [
      ['Before it began.', -60_000],
      ['Now it runs.', 0],
    ],
  )
  await admin.delete(`/web/connections/${id}`)
  microsoft.tenant.transcripts.length = 0
})
