import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { deleteOldShareLinks } from '../../src/access/sharing/end-shares.ts'
import { createSharedPageLimit } from '../../src/http/routes/sharing/shared-page-routes.ts'
import { sha256, newId } from '../../src/lib/crypto.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

type Person = { userId: string } & Credentials

let world: AccessWorld
let owner: Person
let admin: Person
const clock = createManualClock()
before(async () => {
  world = await startAccessWorld({}, { clock })
  owner = await world.addUser()
  admin = await world.addUser('admin')
})
after(() => world[Symbol.asyncDispose]())

async function send(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers: Record<string, string> = owner.key,
) {
  const answer = await world.app.inject({
    method,
    url,
    headers,
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> }
}

/** A project of the owner with one meeting and one document. */
async function addProject(access: 'team' | 'private' = 'team') {
  const project = newId('p').toLowerCase()
  const word = `w${project.slice(-12)}`.replaceAll('_', '')
  const things = await world.plant(project, word)
  await world.setAccess(project, access)
  await world.addMember(project, owner.userId, 'owner')
  return { ...things, word, document: `notes/${word}.md` }
}

async function share(
  target: string,
  body: object = {},
  key = owner.key,
): Promise<{ path: string; id: string }> {
  const created = await send('POST', `/api/v1/${target}/shares`, body, key)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { shareId } = created.body['share'] as { shareId: string }
  return { path: new URL(String(created.body['url'])).pathname, id: shareId }
}

/** What a stranger without cookies and keys gets. */
async function open(path: string, password?: string) {
  const { statusCode, body, headers } = await world.app.inject({
    method: password === undefined ? 'GET' : 'POST',
    url: path,
    ...(password !== undefined && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ password }).toString(),
    }),
  })
  return { status: statusCode, body, headers }
}

async function listStates(target: string): Promise<string[]> {
  const { body } = await send('GET', `/api/v1/${target}/shares`)
  return (body['shares'] as Array<{ state: string }>).map(({ state }) => state)
}

test('a shared meeting shows its recap and transcript and nothing else, and hostile text stays text', async () => {
  const { meeting, project, word } = await addProject('private')
  const hostile = '<img src=x onerror=alert(1)>&"\''
  const at = new Date()
  await world.db
    .updateTable('meeting')
    .set({ title: hostile } as never)
    .where('id', '=', meeting)
    .execute()
  await world.db
    .updateTable('segment')
    .set({ speaker: 'zoe.secret@example.com <b>', text: `</p><script>${word}</script>` } as never)
    .where('meeting_id', '=', meeting)
    .execute()
  await world.db
    .insertInto('chat_message')
    .values({
      meeting_id: meeting,
      number: 1,
      message_id: 'm1',
      author: 'Zoe',
      text: 'only in the chat',
      at,
    })
    .execute()
  const comments = `/api/v1/meetings/${meeting}/comments`
  const comment = { segmentNumber: 1, text: 'only in a comment' }
  assert.equal((await world.call(owner.key, 'POST', comments, comment)).status, 201)
  const { path } = await share(`meetings/${meeting}`)
  assert.match(path, /^\/s\/[0-9A-Za-z]{43}$/)
  const page = await open(path)
  assert.equal(page.status, 200)
  for (const expected of [`It was about ${word}`, `Send the ${word}`, `&lt;script&gt;${word}`])
    assert.ok(page.body.includes(expected), expected)
  assert.ok(page.body.includes('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;'))
  const hidden = [
    project,
    'only in the chat',
    'only in a comment',
    '@example.com',
    '<script',
    '<img',
    'practice:',
    meeting,
  ]
  for (const text of hidden) assert.ok(!page.body.includes(text), text)
  const { headers } = page
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(String(headers['x-robots-tag']), /noindex/)
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-/,
  )
  assert.equal(headers['set-cookie'], undefined)
  const stored = await world.db.selectFrom('share_link').selectAll().execute()
  assert.ok(!JSON.stringify(stored).includes(path.slice(3)))
})

test('links that do not open answer equally, whatever the reason', async () => {
  const { meeting, project } = await addProject()
  const unknown = await open('/s/unknown')
  assert.equal(unknown.status, 404)
  const assertClosed = async (path: string, reason: string) => {
    const { 'x-request-id': _id, date: _date, ...headers } = unknown.headers
    const closed = await open(path)
    const { 'x-request-id': _otherId, date: _otherDate, ...otherHeaders } = closed.headers
    assert.deepEqual({ ...closed, headers: otherHeaders }, { ...unknown, headers }, reason)
    assert.equal((await open(path, 'any password')).body, unknown.body, reason)
  }
  const target = `meetings/${meeting}`
  const [revoked, expired, demoted, privated] = [
    await share(target),
    await share(target),
    await share(target, { password: 'three unrelated words' }),
    await share(target),
  ]
  assert.equal((await send('DELETE', `/api/v1/${target}/shares/${revoked.id}`)).status, 200)
  await assertClosed(revoked.path, 'revoked')
  assert.equal((await send('DELETE', `/api/v1/${target}/shares/${revoked.id}`)).status, 404)

  await world.db
    .updateTable('share_link')
    .set({ expires_at: clock.now() } as never)
    .where('id', '=', expired.id)
    .execute()
  await assertClosed(expired.path, 'expired')

  assert.equal((await open(demoted.path)).status, 200)
  await world.addMember(project, owner.userId, 'editor')
  await assertClosed(demoted.path, 'its creator is not an owner any more')
  await world.addMember(project, owner.userId, 'owner')
  assert.equal((await open(demoted.path)).status, 200)

  const { body } = await send('PUT', `/api/v1/projects/${project}/access`, { access: 'private' })
  assert.equal(body['endedShares'], 2)
  await assertClosed(privated.path, 'the project was made private')
  assert.deepEqual((await listStates(target)).toSorted(), [
    'expired',
    'made_private',
    'made_private',
    'revoked',
  ])

  const other = await addProject()
  const moved = await share(target)
  assert.equal((await open(moved.path)).status, 200)
  await send('PATCH', `/api/v1/${target}`, { project: other.project })
  await assertClosed(moved.path, 'the meeting was moved')
  const removed = await share(target)
  assert.equal((await send('DELETE', `/api/v1/${target}`)).status, 200)
  await assertClosed(removed.path, 'the meeting was removed')

  const leaver = await world.addUser()
  await world.addMember(other.project, leaver.userId, 'owner')
  const left = await share(`meetings/${other.meeting}`, {}, leaver.key)
  assert.equal((await open(left.path)).status, 200)
  const removal = `/web/users/${leaver.userId}`
  assert.equal((await send('DELETE', removal, undefined, admin.session)).status, 200)
  await assertClosed(left.path, 'its creator was removed')

  for (const creatorId of [null, owner.userId]) {
    const token = await world.addToken({ creatorId })
    const ofToken = await share(`meetings/${other.meeting}`, {}, token.key)
    assert.equal((await open(ofToken.path)).status, 200)
    await send('DELETE', `/web/tokens/${token.id}`, undefined, admin.session)
    await assertClosed(ofToken.path, 'the token that created it was revoked')
    assert.equal((await listStates(`meetings/${other.meeting}`))[0], 'token_revoked')
  }
})

test('a password is asked each time, stored as a hash and throttled', async () => {
  const { meeting, word } = await addProject()
  const target = `meetings/${meeting}`
  const password = 'three unrelated words'
  const weak = await send('POST', `/api/v1/${target}/shares`, { password: 'short' })
  assert.equal(weak.status, 400)
  const { path, id } = await share(target, { password })
  const form = await open(path)
  assert.equal(form.status, 200)
  assert.ok(form.body.includes('type="password"') && !form.body.includes(word))
  assert.ok((await open(path, password)).body.includes(word))
  assert.equal((await open(path)).body, form.body)
  const statuses = new Set<number>()
  for (let i = 0; i < 12; i += 1) statuses.add((await open(path, `wrong ${i}`)).status)
  assert.deepEqual([...statuses], [403, 429])
  const blocked = await open(path, password)
  assert.equal(blocked.status, 429)
  assert.ok(Number(blocked.headers['retry-after']) > 0)
  assert.ok(!blocked.body.includes(word))
  const { body } = await send('GET', `/api/v1/${target}/shares`)
  const [listed] = body['shares'] as Array<Record<string, unknown>>
  assert.equal(listed?.['useCount'], 1)
  assert.equal(listed?.['hasPassword'], true)
  assert.ok(listed?.['lastUsedAt'])
  const audit = await world.db.selectFrom('audit').selectAll().where('object', '=', id).execute()
  const actions = new Set(audit.map(({ action }) => action))
  assert.deepEqual(actions, new Set(['share link created', 'share password failed']))
  assert.ok(!JSON.stringify(audit).includes(password))
})

test('a shared document shows its current text until it is removed, and a transcript is not shared as a file', async () => {
  const { project, word, document } = await addProject()
  const target = `projects/${project}`
  const { path } = await share(target, { path: document })
  const page = await open(path)
  assert.ok(page.body.includes(`A note about ${word} here`))
  assert.ok(!page.body.includes('Notes on') && !page.body.includes(project))
  const transcript = { path: 'meetings/2026-11-15 0830 - Planning.md' }
  assert.equal((await send('POST', `/api/v1/${target}/shares`, transcript)).status, 400)
  const missing = { path: 'notes/missing.md' }
  assert.equal((await send('POST', `/api/v1/${target}/shares`, missing)).status, 404)
  const url = `/api/v1/projects/${project}/documents/${document}`
  assert.equal((await send('DELETE', url)).status, 200)
  const headers = { ...owner.key, 'content-type': 'text/markdown' }
  await world.app.inject({ method: 'PUT', url, headers, payload: 'Another text' })
  assert.equal((await open(path)).status, 404)
  assert.deepEqual(await listStates(target), ['document_removed'])
  const audit = await world.db
    .selectFrom('audit')
    .selectAll()
    .where('object', '=', project)
    .execute()
  assert.deepEqual(
    audit.map(({ action, detail }) => [action, detail]),
    [['share links ended', 'document_removed 1']],
  )
})

test('while sharing is off no link is created and none opens; one address opens a limited number of pages', async () => {
  await using off = await startAccessWorld(
    { HANSARD_SHARING: 'off', HANSARD_RATE_LIMIT: 'on' },
    { clock },
  )
  const { meeting } = await off.plant('open', 'kalimba')
  const { key } = await off.addToken({})
  const url = `/api/v1/meetings/${meeting}/shares`
  const refused = await off.app.inject({ method: 'POST', url, headers: key, payload: {} })
  assert.deepEqual(
    [refused.statusCode, refused.json<{ code: string }>().code],
    [403, 'sharing_off'],
  )
  const listed = await off.app.inject({ url, headers: key })
  assert.equal(listed.json<{ isOn: boolean }>().isOn, false)
  // A link that was created before.
  await off.db
    .insertInto('share_link')
    .values({
      id: newId('share'),
      secret_hash: sha256('secret'),
      project: 'open',
      meeting_id: meeting,
      path: null,
      password_hash: null,
      created_by: 'command line',
      creator_id: null,
      created_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + 86_400_000),
    })
    .execute()
  for (let i = 0; i < 60; i += 1)
    assert.equal((await off.app.inject({ url: '/s/secret' })).statusCode, 404)
  const busy = await off.app.inject({ url: '/s/secret' })
  assert.equal(busy.statusCode, 429)
  assert.equal(busy.headers['retry-after'], '60')
  assert.match(busy.body, /Try again in 60 seconds/)
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  assert.equal((await off.app.inject({ url: '/s/secret', headers })).statusCode, 404)
})

test('one link is opened a limited number of times a minute', () => {
  const added = new Map<string, number>()
  const add = (scope: string) => {
    const count = (added.get(scope) ?? 0) + 1
    added.set(scope, count)
    return count
  }
  const limit = createSharedPageLimit({ counts: { add }, clock, isOn: true })
  for (let i = 0; i < 300; i += 1) assert.equal(limit('link', 'one'), null)
  assert.equal(limit('link', 'one'), 60)
  assert.equal(limit('link', 'two'), null)
})

test('an error under a link is not indexed either', async () => {
  const { meeting } = await addProject()
  const { path: url } = await share(`meetings/${meeting}`)
  const headers = { 'content-type': 'text/plain' }
  const refused = await world.app.inject({ method: 'POST', url, headers, payload: 'x' })
  assert.equal(refused.statusCode, 415)
  assert.match(String(refused.headers['x-robots-tag']), /noindex/)
})

test('links are deleted a month after they ended', async () => {
  const { meeting } = await addProject()
  const target = `meetings/${meeting}`
  await share(target, { days: 365 })
  const { id } = await share(target, { days: 365 })
  await send('DELETE', `/api/v1/${target}/shares/${id}`)
  const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)
  await deleteOldShareLinks(world.db, inDays(29))
  assert.deepEqual((await listStates(target)).toSorted(), ['active', 'revoked'])
  await deleteOldShareLinks(world.db, inDays(31))
  assert.deepEqual(await listStates(target), ['active'])
})
