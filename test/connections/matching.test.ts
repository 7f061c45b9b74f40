import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { MEETING_OPTIONS, seedMeeting } from '../support/meetings/seed-meeting.ts'
import {
  addConnection,
  listTranscripts,
  ORGANIZER,
  PROJECT,
  readAgain,
  startConnectionWorld,
  type ConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { addTranscript, formatTeamsVtt } from '../support/microsoft/tenant.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const world = openForFile(() => startConnectionWorld())

let threads = 0

/** A Teams link, and the room that a bot's meeting has for it. */
function newLink() {
  threads += 1
  const room = `19:meeting_matching${threads}@thread.v2`
  const context = encodeURIComponent('{"Tid":"72f988bf-86f1-41af-91ab-2d7cd011db47"}')
  const joinUrl = `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(room)}/0?context=${context}`
  return { room, joinUrl }
}

const minutesAgo = ({ clock }: ConnectionWorld, minutes: number) =>
  new Date(clock.now().getTime() - minutes * 60_000)

/** A meeting that a bot attended 50 to 30 minutes ago, and into which it was let after ten minutes. */
async function seedAttended(own: ConnectionWorld, room: string, row: Record<string, unknown> = {}) {
  const id = await seedMeeting(own.db, {
    platform: 'microsoft_teams',
    room,
    project: PROJECT,
    status: 'ended',
    started_at: minutesAgo(own, 50),
    live_at: minutesAgo(own, 40),
    ended_at: minutesAgo(own, 30),
    segment_count: 1,
    ...row,
  })
  await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
    values (${id}, 1, 'c', 'Ada', 'Heard by the bot.', ${minutesAgo(own, 35)}, 'heard')`.execute(
    own.db,
  )
  return id
}

function patch({ admin }: ConnectionWorld, path: string, body: object) {
  return admin.request('PATCH', path, body, {})
}

async function textsOf({ admin }: ConnectionWorld, meetingId: string | null | undefined) {
  const { body } = await admin.get(`/web/meetings/${meetingId}/transcript`)
  return (body['segments'] as Array<{ text: string }>).map(({ text }) => text)
}

async function readTranscriptOf(own: ConnectionWorld, joinUrl: string, fields: object = {}) {
  const { microsoft, organizer, admin } = own
  addTranscript(microsoft.tenant, organizer, { createdAt: minutesAgo(own, 50), joinUrl })
  const { id } = await addConnection(own, fields)
  const rows = await listTranscripts(admin, id)
  microsoft.tenant.transcripts.length = 0
  return { id, row: rows[0] }
}

test('an official transcript goes into the meeting that a bot attended at the same link and time', async () => {
  const own = world()
  const { room, joinUrl } = newLink()
  const meetingId = await seedAttended(own, room)
  // Another meeting in the same place, on another day.
  await seedAttended(own, room, {
    started_at: minutesAgo(own, 24 * 60),
    live_at: minutesAgo(own, 24 * 60),
    ended_at: minutesAgo(own, 24 * 60 - 20),
  })
  const { row } = await readTranscriptOf(own, joinUrl)
  assert.partialDeepStrictEqual(row, { state: 'imported', meetingId })
  assert.deepEqual((await textsOf(own, meetingId)).slice(-1), ['Heard by the bot.'])
  assert.equal((await textsOf(own, meetingId)).length, 3)
  const { body } = await own.admin.get(`/web/meetings/${meetingId}/edits`)
  assert.partialDeepStrictEqual((body['edits'] as object[])[0], {
    kind: 'lines',
    by: 'Microsoft Teams',
  })
})

test('the project chooses what an official transcript does to what its bots recorded', async () => {
  const own = world()
  const path = `/web/projects/${PROJECT}/transcript-settings`
  assert.equal((await own.admin.get(path)).body['officialTranscripts'], 'fill')
  assert.equal((await patch(own, path, { officialTranscripts: 'keep' })).status, 200)
  const { room, joinUrl } = newLink()
  const meetingId = await seedAttended(own, room)
  const { row } = await readTranscriptOf(own, joinUrl)
  assert.equal(row?.meetingId, meetingId)
  assert.deepEqual(await textsOf(own, meetingId), ['Heard by the bot.'])
  // Who asked for both wants both used.
  const both = newLink()
  const options = JSON.stringify({ ...MEETING_OPTIONS, capture: 'both' })
  const wanted = await seedAttended(own, both.room, { options })
  await readTranscriptOf(own, both.joinUrl)
  assert.equal((await textsOf(own, wanted)).length, 3)
  const use = { officialTranscript: 'fill' }
  assert.equal((await patch(own, `/web/meetings/${meetingId}`, use)).status, 200)
  assert.equal((await textsOf(own, meetingId)).length, 3)
  assert.equal((await patch(own, path, { officialTranscripts: 'fill' })).status, 200)
})

test('a transcript waits while a bot is still in the meeting', async () => {
  const own = world()
  const { admin, microsoft } = own
  const { room, joinUrl } = newLink()
  const meetingId = await seedAttended(own, room, {
    status: 'live',
    ended_at: null,
    // No bot of this service attends it.
    claim_after: new Date('2200-01-01'),
  })
  addTranscript(microsoft.tenant, own.organizer, { createdAt: minutesAgo(own, 50), joinUrl })
  const { id } = await addConnection(own)
  const [waiting] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(waiting, { state: 'waiting', meetingId: null })
  assert.equal(waiting?.problem?.code, 'bot_attending')
  await sql`update meeting set status = 'ended', ended_at = ${own.clock.now()} where id = ${meetingId}`.execute(
    own.db,
  )
  await readAgain(own, id, 601)
  const [read] = await listTranscripts(admin, id)
  assert.partialDeepStrictEqual(read, { state: 'imported', meetingId, problem: null })
  microsoft.tenant.transcripts.length = 0
})

test('a transcript reaches no meeting of other people: it stays in the project of its organizer', async () => {
  const own = world()
  const { room, joinUrl } = newLink()
  const other = await seedAttended(own, room, { project: 'elsewhere' })
  const { row } = await readTranscriptOf(own, joinUrl)
  assert.equal(row?.state, 'imported')
  assert.notEqual(row?.meetingId, other)
  const { body } = await own.admin.get(`/web/meetings/${row?.meetingId}`)
  assert.equal((body['meeting'] as { project: string }).project, PROJECT)
})

test("the rules of the organizer's calendar decide about project, title and exclusion", async () => {
  const own = world()
  const { db, admin, clock } = own
  await sql`insert into app_user (id, email, name, role, created_at)
    values ('user_grace', ${ORGANIZER}, 'Grace', 'member', ${clock.now()})`.execute(db)
  const addOccurrence = async (room: string, title: string, project: string) => {
    const calendarId = `cal_${room}`
    await sql`insert into calendar (id, user_id, name, kind, url_sealed, host, address, project, rules, is_paused,
        time_zone, next_poll_at, created_at)
      values (${calendarId}, 'user_grace', 'Mine', 'ics', '', 'h', ${ORGANIZER}, ${project},
        ${JSON.stringify({ onlyOrganised: false, onlyInvited: null, onlyTitles: [], neverTitles: ['secret'], onlyAccepted: false })},
        true, 'UTC', ${clock.now()}, ${clock.now()})`.execute(db)
    await sql`insert into occurrence (id, calendar_id, uid, key, starts_at, ends_at, is_all_day, is_cancelled, title,
        organizer, attendees, room, decision, reason, created_at)
      values (${`occ_${room}`}, ${calendarId}, 'u', 'k', ${minutesAgo(own, 55)}, ${minutesAgo(own, 25)}, false, false,
        ${title}, ${ORGANIZER}, '[]', ${room}, 'skip', 'paused', ${clock.now()})`.execute(db)
  }
  const planned = newLink()
  await addOccurrence(planned.room, 'Planning with Ada', 'planning')
  const mine = { project: 'planning', access: 'team', created_by: null, created_at: clock.now() }
  await db
    .insertInto('project_access')
    .values(mine as never)
    .execute()
  const { row } = await readTranscriptOf(own, planned.joinUrl)
  const { body } = await admin.get(`/web/meetings/${row?.meetingId}`)
  assert.partialDeepStrictEqual(body['meeting'], {
    title: 'Planning with Ada',
    project: 'planning',
  })

  const secret = newLink()
  await addOccurrence(secret.room, 'Top secret', 'planning')
  const before = own.microsoft.requests.length
  const excluded = (await readTranscriptOf(own, secret.joinUrl)).row
  assert.partialDeepStrictEqual(excluded, { state: 'excluded', meetingId: null })
  assert.equal(excluded?.problem?.code, 'calendar_excluded')
  const requests = own.microsoft.requests.slice(before)
  assert.ok(requests.every(({ path }) => !path.includes('/content')))
})

test('an action item that a person changed survives the lines that replace those of the bot', async () => {
  await using own = await startConnectionWorld({ HANSARD_RECAP: 'on' })
  const { admin, db, microsoft } = own
  const { room, joinUrl } = newLink()
  const meetingId = await seedAttended(own, room)
  const said = 'I will send the contract to the customer by Friday.'
  await sql`update segment set text = ${said}, speaker = 'Grace Hopper'`.execute(db)
  const recap = `/web/meetings/${meetingId}/recap`
  type Action = { actionId: string; text: string; segmentNumbers: number[] }
  const waitForAction = (isExpected: (action: Action) => boolean) =>
    eventually(async () => {
      const { body } = await admin.get(recap)
      const actions = (body['actions'] ?? []) as Action[]
      const [action, ...others] = actions
      assert.equal(others.length, 0)
      return action !== undefined && isExpected(action) ? action : null
    })
  await admin.post(recap)
  const { actionId } = await waitForAction(() => true)
  assert.equal(
    (await patch(own, `/web/actions/${actionId}`, { text: 'Send it today' })).status,
    200,
  )
  const use = { officialTranscripts: 'replace' }
  await patch(own, `/web/projects/${PROJECT}/transcript-settings`, use)
  const createdAt = minutesAgo(own, 41)
  const content = formatTeamsVtt(said)
  addTranscript(microsoft.tenant, own.organizer, { createdAt, joinUrl, content })
  await addConnection(own)
  const kept = await waitForAction(({ segmentNumbers }) => (segmentNumbers[0] ?? 0) > 100)
  assert.partialDeepStrictEqual(kept, { actionId, text: 'Send it today' })
  assert.deepEqual(await textsOf(own, meetingId), ['Good morning, everybody.', said])
})
