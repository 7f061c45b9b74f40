import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createRandomName } from '../support/access/random-name.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  startAccessWorld,
  STOP_BEFORE_HANDLER,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'

let world: AccessWorld
let admin: Credentials & { userId: string }
let owner: Credentials & { userId: string }
let other: Credentials & { userId: string }
before(async () => {
  world = await startAccessWorld({ HANSARD_DEFAULT_ACCESS: 'private' })
  admin = await world.addUser('admin')
  owner = await world.addUser()
  other = await world.addUser()
})
after(() => world[Symbol.asyncDispose]())

/** Waits until this many requests wait for locks in the database. */
async function waitForLocks(count: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db)
    return rows.length >= count ? true : null
  })
}

test('a project belongs to the user who creates it, with the access that the setting says', async () => {
  const project = createRandomName()
  assert.equal(await world.write(owner.key, project), 201)
  assert.equal(await world.write(other.key, project), 404)
  const path = `/api/v1/projects/${project}`
  assert.deepEqual((await world.call(owner.key, 'GET', `${path}/access`)).body, {
    project,
    access: 'private',
    adminEntries: [],
  })
  const { members } = (await world.call(owner.key, 'GET', `${path}/members`)).body as {
    members: Array<{ userId: string; role: string }>
  }
  assert.deepEqual(
    members.map(({ userId, role }) => [userId, role]),
    [[owner.userId, 'owner']],
  )
  // A service token creates team projects.
  const { key } = await world.addToken({})
  const shared = createRandomName()
  assert.equal(await world.write(key, shared), 201)
  assert.equal(await world.write(other.key, shared), 200)
})

test('owners add members, change their roles and remove them, and one owner always stays', async () => {
  const project = createRandomName()
  await world.write(owner.key, project)
  const path = `/api/v1/projects/${project}`
  const add = (role: string) =>
    world.call(owner.key, 'POST', `${path}/members`, { userId: other.userId, role })
  assert.equal((await add('reader')).status, 200)
  assert.equal((await world.call(other.key, 'GET', `${path}/documents`)).status, 200)
  assert.equal(await world.write(other.key, project), 403)
  assert.equal(
    (await world.call(other.key, 'PUT', `${path}/access`, { access: 'team' })).status,
    403,
  )
  assert.equal((await add('editor')).status, 200)
  assert.equal(await world.write(other.key, project), 200)
  const lastOwner = [
    await world.call(owner.key, 'DELETE', `${path}/members/${owner.userId}`),
    await world.call(owner.key, 'POST', `${path}/members`, {
      userId: owner.userId,
      role: 'editor',
    }),
    await world.call(admin.session, 'DELETE', `/web/users/${owner.userId}`),
  ]
  assert.deepEqual(
    lastOwner.map(({ status, body }) => [status, body['code']]),
    lastOwner.map(() => [409, 'last_project_owner']),
  )
  assert.equal(
    (await world.call(owner.key, 'DELETE', `${path}/members/${other.userId}`)).status,
    200,
  )
  assert.equal((await world.call(other.key, 'GET', `${path}/documents`)).status, 404)
  assert.equal(
    (await world.call(owner.key, 'PUT', `${path}/access`, { access: 'team' })).status,
    200,
  )
  assert.equal((await world.call(other.key, 'GET', `${path}/documents`)).status, 200)
})

test('an admin sees the name of a private project, and what is in it only after adding themselves', async () => {
  const project = createRandomName()
  await world.write(owner.key, project)
  const path = `/web/projects/${project}`
  assert.equal((await world.call(admin.session, 'GET', `${path}/documents`)).status, 404)
  const { projects } = (await world.call(admin.session, 'GET', '/web/system/projects')).body as {
    projects: Array<{ id: string; access: string }>
  }
  assert.ok(projects.some(({ id, access }) => id === project && access === 'private'))
  const joined = await world.call(admin.session, 'POST', `/web/system/projects/${project}/join`, {})
  assert.equal(joined.status, 200)
  assert.equal((await world.call(admin.session, 'GET', `${path}/documents`)).status, 200)
  const { members } = (await world.call(owner.key, 'GET', `/api/v1/projects/${project}/members`))
    .body as {
    members: Array<{ userId: string; addedBy: string | null }>
  }
  assert.ok(members.some(({ addedBy }) => addedBy === `user:${admin.userId}`))
  const audited = await world.db
    .selectFrom('audit')
    .select(['object', 'detail'])
    .where('action', '=', 'admin added to project')
    .where('actor', '=', `user:${admin.userId}`)
    .execute()
  const email = `${admin.userId.toLowerCase()}@example.com`
  assert.ok(
    audited.some(({ object, detail }) => object === project && detail === `${email}: reader`),
  )
  // Owners still see it after the admin became an owner and left.
  const asOwner = { role: 'owner' }
  await world.call(admin.session, 'POST', `/web/system/projects/${project}/join`, asOwner)
  await world.call(admin.session, 'DELETE', `${path}/members/${admin.userId}`)
  const readEntries = async (key: Record<string, string>) =>
    (await world.call(key, 'GET', `/api/v1/projects/${project}/access`)).body[
      'adminEntries'
    ] as Array<{
      userName: string
      role: string
    }>
  assert.deepEqual(
    (await readEntries(owner.key)).map(({ userName, role }) => [userName, role]),
    [
      [admin.userId, 'owner'],
      [admin.userId, 'reader'],
    ],
  )
  await world.addMember(project, other.userId, 'editor')
  assert.deepEqual(await readEntries(other.key), [])
  const missing = await world.call(admin.session, 'POST', '/web/system/projects/none/join', {})
  assert.equal(missing.status, 404)
})

test('a changed role shows who changed it', async () => {
  const project = createRandomName()
  await world.write(owner.key, project)
  const path = `/api/v1/projects/${project}/members`
  const add = (role: string) =>
    world.call(owner.session, 'POST', path.replace('/api/v1', '/web'), {
      userId: other.userId,
      role,
    })
  await add('reader')
  await world.db
    .updateTable('project_member')
    .set({ added_by: 'user:nobody' })
    .where('project', '=', project)
    .execute()
  const readAddedBy = async () => {
    const { members } = (await world.call(owner.key, 'GET', path)).body as {
      members: Array<{ userId: string; addedBy: string | null }>
    }
    return members.find(({ userId }) => userId === other.userId)?.addedBy
  }
  await add('reader')
  assert.equal(await readAddedBy(), 'user:nobody')
  await add('editor')
  assert.equal(await readAddedBy(), `user:${owner.userId}`)
})

test('a request that waits for another change is decided by the rights after it', async () => {
  const [project, target] = [createRandomName(), createRandomName()]
  const { meeting } = await world.plant(project, `w${project}`)
  await world.setAccess(project, 'private')
  await world.addMember(project, owner.userId, 'owner')
  await world.addMember(project, other.userId, 'owner')
  await world.write(owner.key, target)
  const path = `/api/v1/meetings/${meeting}`
  const waiting = await world.db.transaction().execute(async (tx) => {
    await sql`select 1 from meeting where id = ${meeting} for update`.execute(tx)
    await sql`select 1 from project_access where project = ${project} for update`.execute(tx)
    const requests = [
      world.call(owner.key, 'PATCH', path, { project: target }),
      world.call(owner.key, 'DELETE', path),
      world.call(owner.key, 'POST', `${path}/shares`, {}),
      world.call(owner.key, 'PUT', `/api/v1/projects/${project}/access`, { access: 'team' }),
      world.call(owner.key, 'POST', `/api/v1/projects/${project}/members`, {
        userId: admin.userId,
        role: 'owner',
      }),
      world.call(owner.key, 'DELETE', `/api/v1/projects/${project}/members/${other.userId}`),
    ]
    await waitForLocks(requests.length)
    await sql`delete from project_member where project = ${project} and user_id = ${owner.userId}`.execute(
      tx,
    )
    // Not the array of promises itself, which the transaction would wait for.
    return { requests }
  })
  const answers = await Promise.all(waiting.requests)
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 404),
  )
  assert.equal((await world.call(other.key, 'GET', path)).status, 200)
})

test('of two users who create a project at once, the second may not use it if it is private', async () => {
  const project = createRandomName()
  const start = { url: 'practice://standup', callbackUrl: 'listen:x', project }
  const waiting = await world.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('project_access')
      .values({ project, access: 'private', created_by: other.userId, created_at: new Date() })
      .execute()
    const requests = [
      world.call(owner.key, 'POST', '/api/v1/meetings/start', start),
      world.call(owner.key, 'PUT', `/api/v1/projects/${project}/documents/note.md`),
    ]
    await waitForLocks(requests.length)
    return { requests }
  })
  for (const { status, body } of await Promise.all(waiting.requests))
    assert.deepEqual([status, body['code']], [404, 'project_not_found'])
  assert.ok(!existsSync(join(world.dataFolder, 'deployed-md-files/docs', project)))
})

test('a private project keeps an owner when one is removed while another leaves', async () => {
  const project = createRandomName()
  const leaver = await world.addUser()
  await world.setAccess(project, 'private')
  await world.addMember(project, leaver.userId, 'owner')
  await world.addMember(project, other.userId, 'owner')
  const waiting = await world.db.transaction().execute(async (tx) => {
    await sql`select 1 from project_access where project = ${project} for update`.execute(tx)
    await sql`delete from project_member where project = ${project} and user_id = ${other.userId}`.execute(
      tx,
    )
    const removal = world.call(admin.session, 'DELETE', `/web/users/${leaver.userId}`)
    await Promise.race([waitForLocks(1), removal])
    return { removal }
  })
  const { status, body } = await waiting.removal
  assert.deepEqual([status, body['code']], [409, 'last_project_owner'])
})

test('a removed user hands private projects over, and their tokens and tasks end', async () => {
  const leaver = await world.addUser()
  const project = createRandomName()
  await world.write(leaver.key, project)
  const task = `task-${project}`
  await world.db
    .insertInto('task')
    .values({
      id: task,
      name: task,
      prompt_name: 'p',
      timezone: 'UTC',
      enabled: true,
      timeout_ms: 1,
      owner_id: leaver.userId,
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute()
  const path = `/web/users/${leaver.userId}?newOwner=${other.userId}`
  assert.equal((await world.call(admin.session, 'DELETE', path)).status, 200)
  assert.equal((await world.call(leaver.key, 'GET', '/api/v1/token')).status, 401)
  assert.equal(
    (await world.call(other.key, 'GET', `/api/v1/projects/${project}/documents`)).status,
    200,
  )
  const { enabled, reason } = await world.db
    .selectFrom('task')
    .select(['enabled', 'last_skip_reason as reason'])
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  assert.deepEqual([enabled, reason], [false, 'owner_removed'])
})

test('only admins create service tokens, and a narrowed token sees only its projects', async () => {
  const refused = await world.call(owner.session, 'POST', '/web/tokens', {
    name: 't',
    kind: 'service',
  })
  assert.equal(refused.status, 403)
  const [inside, outside] = [createRandomName(), createRandomName()]
  await world.write(owner.key, inside)
  await world.write(owner.key, outside)
  const { key } = await world.addToken({ creatorId: owner.userId, projects: [inside] })
  const { projects } = (await world.call(key, 'GET', '/api/v1/projects')).body as {
    projects: Array<{ id: string }>
  }
  assert.deepEqual(
    projects.map(({ id }) => id),
    [inside],
  )
  assert.equal((await world.call(key, 'GET', `/api/v1/projects/${outside}/documents`)).status, 404)
  const start = { url: 'practice://standup', callbackUrl: 'listen:x' }
  assert.equal((await world.call(key, 'POST', '/api/v1/meetings/start', start)).status, 404)
  const task = { name: createRandomName(), promptName: 'p' }
  assert.equal((await world.call(key, 'POST', '/api/v1/tasks', task)).status, 404)
})

test('an API key with restricted scopes changes neither access nor members nor share links', async () => {
  const project = createRandomName()
  await world.write(owner.key, project)
  const path = `/api/v1/projects/${project}`
  const { key } = await world.addToken({ creatorId: owner.userId, scopes: ['meetings', 'tasks'] })
  assert.equal(await world.write(key, project), 200)
  const refused = [
    await world.call(key, 'PUT', `${path}/access`, { access: 'team' }),
    await world.call(key, 'POST', `${path}/members`, { userId: other.userId, role: 'reader' }),
    await world.call(key, 'DELETE', `${path}/members/${owner.userId}`),
    await world.call(key, 'POST', `${path}/shares`, { path: 'note.md' }),
    await world.call(key, 'GET', `${path}/shares`),
  ]
  for (const { status, body } of refused) {
    assert.deepEqual([status, body['code']], [403, 'missing_scope'])
    assert.match(String(body['hint']), /without restricted scopes/)
  }
})

test('a document that names a hidden meeting is found, but does not belong to that meeting', async () => {
  const [hidden, open, word] = [createRandomName(), createRandomName(), createRandomName()]
  const { meeting } = await world.plant(hidden, createRandomName())
  await world.setAccess(hidden, 'private')
  await world.write(owner.key, open)
  await world.setAccess(open, 'team')
  const written = await world.app.inject({
    method: 'PUT',
    url: `/api/v1/projects/${open}/documents/notes/copy.md`,
    headers: { ...owner.key, 'content-type': 'text/markdown' },
    payload: `---\nmeetingId: ${meeting}\n---\nA note about ${word} here\n`,
  })
  assert.equal(written.statusCode, 201)
  const asked = await world.call(other.key, 'POST', '/api/v1/ask', { question: `What is ${word}?` })
  assert.equal(asked.status, 200, JSON.stringify(asked.body))
  assert.partialDeepStrictEqual(asked.body['passages'], [{ project: open, meetingId: null }])
})

test('only those who may edit a meeting see more than the host of its callback URL', async () => {
  const { project, meeting, delivery } = await world.plant(createRandomName(), 'kestrel')
  await world.setAccess(project, 'private')
  await world.addMember(project, owner.userId, 'editor')
  await world.addMember(project, other.userId, 'reader')
  const url = 'https://example.com/hook?key=s3cret'
  await sql`update lane set url = ${url} where meeting_id = ${meeting}`.execute(world.db)
  const readUrl = async ({ session }: Credentials) =>
    (await world.call(session, 'GET', `/web/deliveries/${delivery}/request`)).body['url']
  assert.equal(await readUrl(owner), url)
  assert.equal(await readUrl(other), 'https://example.com/…')
  const readDestinations = async ({ session }: Credentials) => {
    const { body } = await world.call(session, 'GET', '/web/deliveries/failed')
    return (body['destinations'] as Array<{ url: string }>).map((one) => one.url)
  }
  assert.ok((await readDestinations(owner)).includes('https://example.com/hook'))
  assert.deepEqual(
    (await readDestinations(other)).filter((one) => one.startsWith('https://example.com')),
    ['https://example.com/…'],
  )
})

test('the lists of receivers and attempts show only editors the path of a callback URL, and a token to those who see it', async () => {
  const { project, meeting, delivery } = await world.plant(createRandomName(), 'merlin')
  await world.setAccess(project, 'private')
  await world.addMember(project, owner.userId, 'editor')
  await world.addMember(project, other.userId, 'reader')
  const { id: tokenId } = await world.addToken({ creatorId: owner.userId })
  // Not due before the test ends, so nothing is sent.
  await sql`update lane set url = 'https://merlin.example.com/hook?key=s3cret', token_id = ${tokenId}, failures = 1,
    last_error = 'http_401', failing_since = now(), delivered_through = 0, due_at = now() + interval '30 minutes'
    where meeting_id = ${meeting}`.execute(world.db)
  const receiver = 'https://merlin.example.com/hook'
  const host = 'https://merlin.example.com/…'
  const read = async ({ session }: Credentials) => {
    const list = async (path: string, name: string) =>
      (await world.call(session, 'GET', path)).body[name] as Array<Record<string, unknown>>
    const attempts = [receiver, host].map((url) =>
      list(`/web/deliveries?receiver=${encodeURIComponent(url)}`, 'deliveries'),
    )
    return (await Promise.all([list('/web/deliveries/receivers', 'receivers'), ...attempts]))
      .flat()
      .filter(({ url }) => String(url).includes('merlin'))
      .map(({ url, tokenName }) => `${String(url)} ${String(tokenName)}`)
  }
  assert.deepEqual(await read(owner), [`${receiver} test`, `${receiver} test`])
  assert.deepEqual(await read(other), [`${host} null`, `${host} null`])
  assert.deepEqual(await read(admin), [])
  const retry = async ({ session }: Credentials) =>
    (await world.call(session, 'POST', '/web/deliveries/retry', { receiver })).body
  for (const one of [other, admin]) assert.deepEqual(await retry(one), { meetings: 0 })
  const path = `/web/deliveries/${delivery}`
  assert.equal((await world.call(other.session, 'GET', path)).status, 200)
  assert.equal((await world.call(admin.session, 'GET', path)).status, 404)
})

test('an admin signs no callbacks with the token of another person', async () => {
  const { id: tokenId } = await world.addToken({ creatorId: owner.userId })
  const { id: serviceTokenId } = await world.addToken({})
  const start = async (id: string) => {
    const body = { url: 'practice://denied?speed=100', callbackUrl: 'listen:laptop', tokenId: id }
    const headers = { ...admin.session, ...STOP_BEFORE_HANDLER }
    return (
      await world.app.inject({ method: 'POST', url: '/web/meetings/start', headers, payload: body })
    ).statusCode
  }
  assert.equal(await start(tokenId), 404)
  assert.equal(await start(serviceTokenId), 299)
})
