import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { endOverdueCaptures } from '../../src/connections/end-captures.ts'
import { createLog } from '../../src/log.ts'
import { createOfficialCaptures } from '../../src/meetings/official/captures.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import {
  addConnection,
  listTranscripts,
  PROJECT,
  readAgain,
  startConnectionWorld,
  type ConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { addTranscript } from '../support/microsoft/tenant.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const world = openForFile(() => startConnectionWorld())

let threads = 0

/** A Teams link that names its organizer. */
function newLink(organizerId: string): string {
  threads += 1
  const thread = encodeURIComponent(`19:meeting_capture${threads}@thread.v2`)
  const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
  const context = encodeURIComponent(JSON.stringify({ Tid: tenant, Oid: organizerId }))
  return `https://teams.microsoft.com/l/meetup-join/${thread}/0?context=${context}`
}

async function startMeeting({ admin }: ConnectionWorld, url: string, fields: object = {}) {
  const body = { url, project: PROJECT, capture: 'official', ...fields }
  return admin.post('/web/meetings/start', body)
}

type Detail = Record<string, unknown> & { documentPath: string | null }

async function detailOf({ admin }: ConnectionWorld, id: string): Promise<Detail> {
  return (await admin.get(`/web/meetings/${id}`)).body['meeting'] as Detail
}

const secondsAgo = ({ clock }: ConnectionWorld, seconds: number) =>
  new Date(clock.now().getTime() - seconds * 1_000)

test('a meeting without a bot waits for its official transcript and ends with it', async () => {
  const own = world()
  const { microsoft, organizer, admin, clock, service } = own
  const { id } = await addConnection(own)
  const url = newLink(organizer.id)
  const started = await startMeeting(own, url)
  assert.equal(started.status, 201)
  assert.equal(started.body['status'], 'awaiting_transcript')
  const meetingId = String(started.body['meetingId'])
  const { body: active } = await admin.get('/web/meetings/status')
  assert.match(JSON.stringify(active), new RegExp(meetingId))
  clock.advance(3_600)
  const createdAt = secondsAgo(own, 3_000)
  addTranscript(microsoft.tenant, organizer, { subject: 'Roadmap', createdAt, joinUrl: url })
  await readAgain(own, id, 400)
  const [row] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(row, { state: 'imported', meetingId })
  const detail = await detailOf(own, meetingId)
  assert.partialDeepStrictEqual(detail, {
    status: 'ended',
    reason: null,
    title: 'Roadmap',
    capture: 'official',
    platform: 'microsoft_teams',
    segmentCount: 2,
    startedAt: createdAt.toISOString(),
    visits: 0,
  })
  const document = readFileSync(join(service.dataFolder, String(detail.documentPath)), 'utf8')
  assert.match(document, /\*\*Grace Hopper\*\* 00:00:06 This is meeting/)
  const events = await own.db
    .selectFrom('event')
    .select('type')
    .where('meeting_id', '=', meetingId)
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'meeting_status',
      'segment_finalized',
      'segment_finalized',
      'document_saved',
      'meeting_status',
    ],
  )
  microsoft.tenant.transcripts.length = 0
})

test('a meeting without a bot can be stopped, and its transcript does not come back into it', async () => {
  const own = world()
  const { microsoft, organizer, admin } = own
  const url = newLink(organizer.id)
  const meetingId = String((await startMeeting(own, url)).body['meetingId'])
  const stopped = await admin.post('/web/meetings/stop', { meetingId })
  assert.equal(stopped.status, 200)
  assert.partialDeepStrictEqual(await detailOf(own, meetingId), {
    status: 'ended',
    reason: 'stopped',
  })
  addTranscript(microsoft.tenant, organizer, { createdAt: own.clock.now(), joinUrl: url })
  const { id } = await addConnection(own)
  const [row] = await listTranscripts(admin, id)
  assert.equal(row?.state, 'imported')
  assert.notEqual(row?.meetingId, meetingId)
  assert.equal((await detailOf(own, meetingId))['segmentCount'], 0)
  microsoft.tenant.transcripts.length = 0
})

test('an official transcript is refused at the start where none can come', async () => {
  await using own = await startConnectionWorld()
  const url = newLink(own.organizer.id)
  const without = await startMeeting(own, url)
  assert.equal(without.status, 400)
  assert.match(JSON.stringify(without.body), /No connection reads official transcripts/)
  await addConnection(own)
  const meet = await startMeeting(own, 'https://meet.google.com/abc-defg-hij', { capture: 'both' })
  assert.equal(meet.status, 400)
  assert.match(JSON.stringify(meet.body), /No connection reads official transcripts of Google/)
})

test('a meeting whose official transcript does not come ends with the exact reason', async () => {
  await using own = await startConnectionWorld()
  const { db, organizer, clock } = own
  const { id } = await addConnection(own)
  const captures = createOfficialCaptures({
    db,
    clock,
    log: createLog('silent'),
    files: createFolderDocuments(own.service.dataFolder),
    timeZone: 'UTC',
    hasDiskSpace: () => true,
    registerProject: () => Promise.resolve(),
    documentChanged: () => Promise.resolve(),
    learnWords: () => undefined,
    publishLateEvents: () => undefined,
    onEnded: () => undefined,
  })
  /** Starts a meeting, runs `arrange`, and returns why the meeting ended when its time was over. */
  const reasonAfter = async (
    arrange: (startedAt: Date) => Promise<unknown>,
    organizerId?: string,
  ) => {
    const url = newLink(organizerId ?? organizer.id)
    const meetingId = String((await startMeeting(own, url)).body['meetingId'])
    const startedAt = clock.now()
    await arrange(startedAt)
    await endOverdueCaptures(db, captures, clock.now())
    assert.equal((await detailOf(own, meetingId))['status'], 'awaiting_transcript')
    const later = new Date(clock.now().getTime() + 24 * 3_600_000)
    await endOverdueCaptures(db, captures, later)
    await sql`delete from connection_transcript`.execute(db)
    await sql`update connection_organizer set problem = null`.execute(db)
    const { reason, detail, status } = await detailOf(own, meetingId)
    assert.equal(status, 'error')
    assert.ok(detail)
    return reason
  }
  const setProblem = (problem: string) => () =>
    sql`update connection_organizer set problem = ${problem}`.execute(db)
  const setTranscript = (state: string) => (at: Date) =>
    sql`insert into connection_transcript (connection_id, transcript_id, organizer, user_id, online_meeting_id,
      began_at, state, found_at) select ${id}, ${state}, address, user_id, 'm', ${at}, ${state}, ${at}
      from connection_organizer`.execute(db)
  assert.equal(await reasonAfter(() => Promise.resolve()), 'transcription_off')
  assert.equal(await reasonAfter(setProblem('policy_missing')), 'transcript_not_allowed')
  assert.equal(await reasonAfter(setProblem('not_delegated')), 'transcript_not_allowed')
  assert.equal(await reasonAfter(setProblem('payment_required')), 'transcript_no_licence')
  assert.equal(await reasonAfter(setProblem('throttled')), 'transcript_not_ready')
  assert.equal(await reasonAfter(setTranscript('waiting')), 'transcript_not_ready')
  assert.equal(await reasonAfter(setTranscript('expired')), 'transcript_expired')
  assert.equal(await reasonAfter(setTranscript('excluded')), 'transcript_not_allowed')
  const stranger = '11111111-2222-4333-8444-555555555555'
  assert.equal(await reasonAfter(() => Promise.resolve(), stranger), 'no_connection')
})

test('a scheduled meeting without a bot begins to wait at its time', async () => {
  const own = world()
  await addConnection(own)
  const joinAt = new Date(own.clock.now().getTime() + 60_000).toISOString()
  const { status, body } = await startMeeting(own, newLink(own.organizer.id), { joinAt })
  assert.equal(status, 201)
  const detail = await eventually(async () => {
    const now = await detailOf(own, String(body['meetingId']))
    return now['status'] === 'scheduled' ? null : now
  })
  assert.partialDeepStrictEqual(detail, { status: 'awaiting_transcript', documentPath: null })
})
