import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { mayReadLines } from '../../src/access/project-use.ts'
import type { RouteSubject } from '../../src/http/pipeline/access/subject-access.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { createRandomName } from '../support/access/random-name.ts'
import { MEETING_OPTIONS } from '../support/meetings/seed-meeting.ts'
import { startService } from '../support/service/start-service.ts'

let world: AccessWorld
let owner: Credentials & { userId: string }
let other: Credentials & { userId: string }
before(async () => {
  world = await startAccessWorld({ HANSARD_DEFAULT_ACCESS: 'private' })
  owner = await world.addUser()
  other = await world.addUser()
})
after(() => world[Symbol.asyncDispose]())

async function get(headers: Record<string, string>, url: string) {
  const { statusCode, body } = await world.app.inject({ method: 'GET', url, headers })
  return { status: statusCode, body }
}

test('bot accounts count only the meetings that the caller may read', async () => {
  const { project, meeting } = await world.plant(createRandomName(), 'account')
  await world.setAccess(project, 'private')
  await world.addMember(project, owner.userId, 'reader')
  const used = new Date('2026-03-01T09:00:00Z')
  await world.db
    .insertInto('bot_account')
    .values({
      name: 'notes',
      platform: 'google_meet',
      bot_limit: 1,
      state: Buffer.from('sealed'),
      added_at: used,
      last_used_at: used,
      refreshed_at: used,
    })
    .execute()
  await world.db
    .updateTable('meeting')
    .set({ options: JSON.stringify({ ...MEETING_OPTIONS, account: 'notes' }), fence: 1 })
    .where('id', '=', meeting)
    .execute()
  const service = await world.addToken({})
  const read = async (headers: Record<string, string>) => {
    const { botAccounts } = JSON.parse((await get(headers, '/api/v1/bot-accounts')).body) as {
      botAccounts: Array<{ lastUsedAt: string | null; refreshedAt: string | null }>
    }
    return [botAccounts[0]?.lastUsedAt !== null, botAccounts[0]?.refreshedAt !== null]
  }
  assert.deepEqual(await read(service.key), [true, true])
  assert.deepEqual(await read(owner.key), [true, false])
  assert.deepEqual(await read(other.key), [false, false])
})

test('the totals of the instance are for admins and for service tokens that are not narrowed', async () => {
  const admin = await world.addUser('admin')
  const service = await world.addToken({})
  const narrowed = await world.addToken({ projects: ['some'] })
  for (const { key } of [admin, service]) assert.equal((await get(key, '/metrics')).status, 200)
  for (const { key } of [other, narrowed]) assert.equal((await get(key, '/metrics')).status, 403)
})

test('a project that has an owner but no documents is listed for its owner', async () => {
  const project = createRandomName()
  await world.setAccess(project, 'private')
  await world.addMember(project, owner.userId, 'owner')
  const documents = `/api/v1/projects/${project}/documents`
  assert.match((await get(owner.key, '/api/v1/projects')).body, new RegExp(project))
  assert.equal((await get(owner.key, documents)).status, 200)
  assert.doesNotMatch((await get(other.key, '/api/v1/projects')).body, new RegExp(project))
  assert.equal((await get(other.key, documents)).status, 404)
})

test('a project that has only a meeting without a saved transcript is not new', async () => {
  const { project, meeting } = await world.plant(createRandomName(), 'unsaved')
  const place = createRandomName()
  await world.db.updateTable('meeting').set({ project: place }).where('id', '=', meeting).execute()
  assert.notEqual(place, project)
  const { status, body } = await get(other.key, `/api/v1/projects/${place}/access`)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(JSON.parse(body), { access: 'team' })
})

test('the project of meetings without a project stays open to the team', async () => {
  const admin = await world.addUser('admin')
  await world.setAccess('api', 'team')
  const { status, body } = await world.call(admin.key, 'PUT', '/api/v1/projects/api/access', {
    access: 'private',
  })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /stays open to the team/)
})

test('a token that a removed user left before projects had access uses team projects only', async () => {
  const [open, hidden] = [createRandomName(), createRandomName()]
  await world.plant(open, `word${open}`)
  await world.plant(hidden, `word${hidden}`)
  await world.setAccess(hidden, 'private')
  const { id, key } = await world.addToken({})
  await sql`update api_token set team_only = true where id = ${id}`.execute(world.db)
  const { body } = await get(key, '/api/v1/projects')
  assert.deepEqual([body.includes(open), body.includes(hidden)], [true, false])
  assert.equal(await world.write(key, open), 201)
  assert.equal(await world.write(key, hidden), 404)
  const path = `/api/v1/projects/${open}/access`
  assert.equal((await world.call(key, 'PUT', path, { access: 'private' })).status, 403)
  assert.equal((await get(key, '/metrics')).status, 403)
})

test('a line of a meeting that was moved to a hidden project is no longer readable', async () => {
  const { project, meeting } = await world.plant(createRandomName(), 'moved')
  const viewer = { kind: 'user', userId: other.userId, role: 'member', projects: null } as const
  const lines = [{ project, meetingId: meeting }]
  assert.equal(await mayReadLines(world.db, viewer, lines), true)
  const hidden = createRandomName()
  await world.setAccess(hidden, 'private')
  await world.db.updateTable('meeting').set({ project: hidden }).where('id', '=', meeting).execute()
  assert.equal(await mayReadLines(world.db, viewer, lines), false)
  // A removed meeting leaves only the documents of its project.
  assert.equal(await mayReadLines(world.db, viewer, [{ project, meetingId: 'removed' }]), true)
})

test('a route that declares no subject, or a field that it does not have, stops the start', async () => {
  const subjects: Array<RouteSubject | undefined> = [
    undefined,
    { kind: 'project', action: 'read', from: 'params', field: 'projectId' },
    { kind: 'project', action: 'read', from: 'body', field: 'projectt' },
    { kind: 'meeting', action: 'read', from: 'query', field: 'meeting' },
    { kind: 'project', action: 'read', from: 'body', field: 'project' },
  ]
  const starting = startService(
    {},
    {
      routes(app) {
        for (const [number, subject] of subjects.entries())
          app.post(
            `/api/v1/things${number}/:project`,
            {
              config: { access: 'key', ...(subject && { subject }) },
              schema: { body: z.object({ project: z.string() }) },
            },
            async () => ({}),
          )
      },
    },
  )
  await assert.rejects(starting, ({ message }: Error) => {
    const problems = [...message.matchAll(/things(\d)\/:project \(([^)]*)\)/g)]
    assert.deepEqual(
      problems.map(([, number, problem]) => [number, problem]),
      [
        ['0', 'none declared'],
        ['1', 'no field projectId in its params'],
        ['2', 'no field projectt in its body'],
        ['3', 'no field meeting in its query'],
      ],
    )
    return true
  })
})
