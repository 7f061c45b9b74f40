import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import { openScimClient, ScimClient } from './scim-world.ts'

/** A client of one node, and people who use the other. */
const opened = openForFile(async () => {
  const nodes = await startTwoNodes({ HANSARD_RATE_LIMIT: 'off' })
  const ada = await nodes.one.adminClient()
  const scim = await openScimClient(nodes.one, ada)
  const onTwo = new ScimClient(`http://127.0.0.1:${nodes.two.port}`, scim.secret)
  return { ...nodes, ada, scim, onTwo }
})

let projects = 0

/** A private project of the admin. */
async function createProject(ada: HttpClient): Promise<string> {
  projects += 1
  const id = `group-project-${projects}`
  const saved = await ada.put(`/web/projects/${id}/documents/notes.md`, 'secret', {
    'content-type': 'text/markdown',
  })
  assert.ok(saved.status < 300, JSON.stringify(saved.body))
  assert.equal((await ada.put(`/web/projects/${id}/access`, { access: 'private' })).status, 200)
  return id
}

const setRole = async (groupId: string, project: string, role: string | null) =>
  (await opened().ada.put(`/web/provisioning/groups/${groupId}/role`, { project, role })).status

async function readRole(project: string, userId: string): Promise<unknown> {
  const { body } = await opened().ada.get(`/web/projects/${project}/members`)
  const members = body['members'] as Array<Record<string, unknown>>
  const member = members.find((one) => one['userId'] === userId)
  return member === undefined ? null : [member['role'], member['groupRole']]
}

/** How the two products change the members of a group, and who is in it afterwards. */
const MEMBER_PATCHES: ReadonlyArray<
  [string, (a: string, b: string) => object, (a: string, b: string) => string[]]
> = [
  ['Entra adds', (a) => ({ op: 'Add', path: 'members', value: [{ value: a }] }), (a) => [a]],
  [
    'Okta adds',
    (_a, b) => ({ op: 'add', path: 'members', value: [{ value: b, display: 'b@corp.example' }] }),
    (a, b) => [a, b],
  ],
  [
    'Entra removes by a filter',
    (a) => ({ op: 'Remove', path: `members[value eq "${a}"]` }),
    (_a, b) => [b],
  ],
  [
    'Okta renames without a path',
    () => ({ op: 'replace', value: { id: 'grp_x', displayName: 'Renamed' } }),
    (_a, b) => [b],
  ],
  [
    'Entra removes by values',
    (_a, b) => ({ op: 'Remove', path: 'members', value: [{ value: b }] }),
    () => [],
  ],
  [
    'replaces all',
    (a, b) => ({ op: 'replace', path: 'members', value: [{ value: a }, { value: b }] }),
    (a, b) => [a, b],
  ],
  [
    'removes two',
    (a, b) => ({ op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` }),
    () => [],
  ],
  [
    'ignores people whom nobody knows, and groups',
    (a) => ({
      op: 'add',
      path: 'members',
      value: [{ value: 'usr_gone' }, { value: a }, { value: 'grp_1', type: 'Group' }],
    }),
    (a) => [a],
  ],
]

test('the members of a group follow the requests of Entra and Okta', async () => {
  const { scim } = opened()
  const [a, b] = [await scim.createUser('a@corp.example'), await scim.createUser('b@corp.example')]
  const id = await scim.createGroup('Pushed')
  for (const [title, operation, expected] of MEMBER_PATCHES) {
    const { status, text } = await scim.patch(`/Groups/${id}`, operation(a, b))
    assert.equal(status, 200, `${title}: ${text}`)
    const { body } = await scim.get(`/Groups/${id}`)
    const members = (body['members'] as Array<{ value: string }>).map(({ value }) => value)
    assert.deepEqual(members.toSorted(), expected(a, b).toSorted(), title)
  }
  assert.deepEqual(await scim.find('/Groups', 'displayName eq "renamed"'), [id])
  assert.deepEqual(await scim.find('/Groups', `members eq "${a}"`), [id])
  const { body: short } = await scim.get(`/Groups/${id}?excludedAttributes=members`)
  assert.equal(short['members'], undefined)
  const taken = await scim.send('POST', '/Groups', { displayName: 'RENAMED' })
  assert.deepEqual([taken.status, taken.body['scimType']], [409, 'uniqueness'])
  const { body: user } = await scim.get(`/Users/${a}`)
  assert.deepEqual(user['groups'], [{ value: id, display: 'Renamed' }])
  const wrong = await scim.patch(`/Groups/${id}`, { op: 'remove', path: 'members[display co "a"]' })
  assert.equal(wrong.body['scimType'], 'invalidFilter')
})

test('rights follow the members of a group on the other node, and roles that people gave stay', async () => {
  const { one, two, ada, scim } = opened()
  const project = await createProject(ada)
  const ben = await invitePerson(two, ada)
  const carl = await invitePerson(one, ada)
  const reads = async () => (await ben.client.get(`/web/projects/${project}/members`)).status
  const group = await scim.createGroup('Sales', [ben.id])
  assert.equal(await reads(), 404)
  assert.equal(await setRole(group, project, 'owner'), 400)
  assert.equal(await setRole(group, project, 'reader'), 200)
  assert.equal(await reads(), 200)
  assert.deepEqual(await readRole(project, ben.id), ['reader', 'reader'])

  const own = { role: 'editor', email: ben.email }
  assert.ok((await ada.post(`/web/projects/${project}/members`, own)).status < 300)
  const editors = await scim.createGroup('Editors', [carl.id])
  assert.equal(await setRole(editors, project, 'editor'), 200)
  assert.deepEqual(await readRole(project, ben.id), ['editor', 'reader'])
  assert.deepEqual(await readRole(project, carl.id), ['editor', 'editor'])
  const removed = await ada.delete(`/web/projects/${project}/members/${carl.id}`)
  assert.equal(removed.body.code, 'member_through_group')

  // The group takes only what it gave.
  assert.equal((await scim.send('DELETE', `/Groups/${group}`)).status, 204)
  assert.deepEqual(await readRole(project, ben.id), ['editor', null])
  const out = { op: 'Remove', path: `members[value eq "${carl.id}"]` }
  assert.equal((await scim.patch(`/Groups/${editors}`, out)).status, 200)
  assert.equal(await readRole(project, carl.id), null)
  await scim.patch(`/Groups/${editors}`, { op: 'add', path: 'members', value: [{ value: ben.id }] })
  assert.equal((await ada.delete(`/web/projects/${project}/members/${ben.id}`)).status, 200)
  assert.deepEqual(await readRole(project, ben.id), ['editor', 'editor'])
  assert.equal(await setRole(editors, project, null), 200)
  assert.equal(await reads(), 404)
})

test('a person deactivated through one node is out on the other at once', async () => {
  const { one, ada, onTwo } = opened()
  const dora = await invitePerson(one, ada)
  const { status } = await onTwo.patch(`/Users/${dora.id}`, {
    op: 'Replace',
    path: 'active',
    value: 'False',
  })
  assert.equal(status, 200)
  assert.equal((await dora.client.get('/web/projects')).status, 401)
  const { body } = await ada.get(`/web/audit?object=${dora.id}`)
  const entries = body['entries'] as Array<{ action: string; actor: string }>
  assert.ok(
    entries.some(({ action, actor }) => action === 'user deactivated' && actor === 'provisioning'),
  )
})

test('changes of one group at the same time on two nodes lose no member', async () => {
  const { scim, onTwo } = opened()
  const id = await scim.createGroup('Crowd')
  const names = Array.from({ length: 12 }, (_, i) => `crowd-${i}@corp.example`)
  const users = await Promise.all(names.map((name) => scim.createUser(name)))
  const answers = await Promise.all(
    users.map((value, i) =>
      (i % 2 === 0 ? scim : onTwo).patch(`/Groups/${id}`, {
        op: 'add',
        path: 'members',
        value: [{ value }],
      }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { body } = await scim.get(`/Groups/${id}`)
  assert.equal((body['members'] as unknown[]).length, users.length)
})

test('a group has a limit, and a huge list is refused before it is read', async () => {
  const { scim } = opened()
  const members = Array.from({ length: 20_001 }, (_, i) => ({ value: `usr_${i}` }))
  const { status, body } = await scim.send('POST', '/Groups', { displayName: 'Huge', members })
  assert.deepEqual([status, body['scimType']], [413, 'tooMany'])
  const tooLarge = { displayName: 'x'.repeat(5_000_000) }
  assert.equal((await scim.send('POST', '/Groups', tooLarge)).status, 413)
})
