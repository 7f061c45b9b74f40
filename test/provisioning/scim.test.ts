import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { openServiceWithProvider } from '../support/sign-in/corp-provider.ts'
import { ProviderVisitor } from '../support/sign-in/provider-visitor.ts'
import { openScimClient, PATCH, USER } from './scim-world.ts'

const opened = openForFile(async () => {
  const service = await openServiceWithProvider({ HANSARD_RATE_LIMIT: 'off' })
  const off = await fetch(`http://127.0.0.1:${service.service.port}/scim/v2/Users`)
  const offBody = (await off.json()) as Record<string, unknown>
  const scim = await openScimClient(service.service, service.ada)
  return { ...service, scim, off: { status: off.status, body: offBody } }
})

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

test('without the switch every request gets the same 403, and without a valid token a 401', async () => {
  const { off, scim, ada } = opened()
  assert.equal(off.status, 403)
  assert.match(
    String(off.body['detail']),
    /^Provisioning is turned off on this instance\. An admin/,
  )
  for (const headers of [{ authorization: '' }, { authorization: 'Bearer sp_wrong' }]) {
    const { status, headers: answered, body } = await scim.get('/Users', headers)
    assert.deepEqual([status, body['status']], [401, '401'])
    assert.match(String(answered.get('content-type')), /^application\/scim\+json/)
    assert.equal(answered.get('www-authenticate'), 'Bearer realm="scim"')
  }
  const { body } = await ada.post('/web/provisioning/tokens', { name: 'Old' })
  const { id } = body['token'] as { id: string }
  const authorization = `Bearer ${String(body['secret'])}`
  assert.equal((await scim.get('/Users', { authorization })).status, 200)
  assert.equal((await ada.delete(`/web/provisioning/tokens/${id}`)).status, 200)
  assert.equal((await scim.get('/Users', { authorization })).status, 401)
  assert.doesNotMatch(JSON.stringify((await ada.get('/web/provisioning')).body), /sp_/)
})

test('the documents about the server name what it can do', async () => {
  const { scim } = opened()
  const { body: config } = await scim.get('/ServiceProviderConfig')
  assert.partialDeepStrictEqual(config, { patch: { supported: true }, bulk: { supported: false } })
  const { body: types } = await scim.get('/ResourceTypes')
  assert.deepEqual(
    types.Resources.map(({ endpoint }) => endpoint),
    ['/Users', '/Groups'],
  )
  assert.equal((await scim.get(`/Schemas/${USER}`)).body['name'], 'User')
  for (const path of ['/Nothing', '/Schemas/other', '/Users/usr_unknown', '/Users/%00']) {
    const { status, body } = await scim.get(path)
    assert.deepEqual([status, body['status']], [404, '404'], path)
  }
})

test('a request that cannot be read gets an error in the form of SCIM', async () => {
  const { scim } = opened()
  const large = JSON.stringify({ userName: 'x'.repeat(5_000_000) })
  const requests: ReadonlyArray<[string, string, number, string?, string?]> = [
    ['POST', '/Users', 400, '{'],
    ['PATCH', '/Users/usr_unknown', 400, '[['],
    ['POST', '/Users', 415, '<a/>', 'application/xml'],
    ['PUT', '/Groups/grp_unknown', 415, 'a', 'text/plain'],
    ['POST', '/Users', 413, large],
    ['GET', '', 404],
    ['GET', '/', 404],
    ['GET', '/Nothing/at/all', 404],
    ['POST', '/Bulk', 404, '{}'],
    ['DELETE', '/ServiceProviderConfig', 404],
  ]
  for (const [method, path, expected, sent, type] of requests) {
    const given = type === undefined ? {} : { 'content-type': type }
    const { status, headers, body } = await scim.send(method, path, sent, given)
    assert.deepEqual([status, body['status']], [expected, String(expected)], `${method} ${path}`)
    assert.match(String(headers.get('content-type')), /^application\/scim\+json/)
    assert.deepEqual(body['schemas'], ['urn:ietf:params:scim:api:messages:2.0:Error'])
    assert.ok(typeof body['detail'] === 'string' && body['detail'] !== '')
  }
})

/** Requests in the forms that the two products document, and what the person is like afterwards. */
const PATCHES: ReadonlyArray<[string, object[], Record<string, unknown>]> = [
  [
    'Entra: a capital op',
    [{ op: 'Replace', path: 'displayName', value: 'New' }],
    { displayName: 'New' },
  ],
  [
    'Entra: an email by its type',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'moved@corp.example' }],
    { emails: [{ primary: true, value: 'moved@corp.example', type: 'work' }] },
  ],
  [
    'Entra: adds an email that does not exist',
    [{ op: 'Add', path: 'emails[type eq "home"].value', value: 'home@corp.example' }],
    { emails: [{ value: 'moved@corp.example' }, { value: 'home@corp.example', type: 'home' }] },
  ],
  [
    'Entra: dotted names in a value without a path',
    [{ op: 'Add', value: { 'name.givenName': 'Grace', [`${enterprise}:department`]: 'Navy' } }],
    { name: { givenName: 'Grace' } },
  ],
  [
    'Entra: attributes that Hansard does not store',
    [
      { op: 'Add', path: `${enterprise}:department`, value: 'Navy' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
    ],
    { displayName: 'New' },
  ],
  [
    'Entra: disable as a text',
    [{ op: 'Replace', path: 'active', value: 'False' }],
    { active: false },
  ],
  ['Okta: enable without a path', [{ op: 'replace', value: { active: true } }], { active: true }],
  ['RFC: remove', [{ op: 'remove', path: 'displayName' }], { displayName: undefined }],
  [
    'RFC: a filter removes values',
    [{ op: 'remove', path: 'emails[type eq "home"]' }],
    { emails: [{ type: 'work' }] },
  ],
  [
    'RFC: add to a complex attribute',
    [{ op: 'add', path: 'name', value: { familyName: 'Hopper' } }],
    { name: { givenName: 'Grace', familyName: 'Hopper' } },
  ],
  [
    'a URN before a core attribute',
    [{ op: 'replace', path: `${USER}:userName`, value: 'Grace@corp.example' }],
    { userName: 'Grace@corp.example' },
  ],
]

test('a person is changed by the requests of Entra and Okta', async () => {
  const { scim } = opened()
  const id = await scim.createUser('grace@corp.example')
  for (const [title, operations, expected] of PATCHES) {
    const { status, body, text } = await scim.patch(`/Users/${id}`, ...operations)
    assert.equal(status, 200, `${title}: ${text}`)
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) assert.equal(body[name], undefined, title)
      else assert.partialDeepStrictEqual({ v: body[name] }, { v: value }, title)
  }
  const { body } = await scim.get(`/Users/${id}`)
  const replaced = { ...body, displayName: 'Admiral', active: true }
  const { status, body: after } = await scim.send('PUT', `/Users/${id}`, replaced)
  assert.deepEqual([status, after['displayName']], [200, 'Admiral'])
})

const WRONG_PATCHES: ReadonlyArray<[string, object]> = [
  ['invalidPath', { op: 'replace', path: 'emails[', value: 1 }],
  ['invalidPath', { op: 'replace', path: 'nothing', value: 1 }],
  ['invalidPath', { op: 'replace', path: 'userName[type eq "x"]', value: 'a' }],
  ['invalidPath', { op: 'replace', path: `emails${'[not ('.repeat(500)}`, value: 'a' }],
  ['invalidSyntax', { op: 'move', path: 'active', value: true }],
  ['invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
  ['invalidValue', { op: 'remove', path: 'userName' }],
  ['invalidValue', { op: 'replace', path: 'displayName', value: 'a\u0000b' }],
  ['invalidValue', { op: 'replace', path: 'displayName', value: 'x'.repeat(300) }],
  ['invalidValue', { op: 'replace', path: 'displayName', value: { toString: 'x' } }],
  ['mutability', { op: 'replace', path: 'id', value: 'other' }],
  ['mutability', { op: 'add', path: 'groups', value: [{ value: 'x' }] }],
  ['noTarget', { op: 'remove' }],
  ['noTarget', { op: 'replace', path: 'emails[type eq "fax"].value', value: 'a@b.example' }],
  ['uniqueness', { op: 'replace', path: 'userName', value: 'ADA@example.com' }],
]

test('a wrong change is refused with its type, and nothing of it is stored', async () => {
  const { scim } = opened()
  const id = await scim.createUser('wrong@corp.example')
  const before = (await scim.get(`/Users/${id}`)).text
  for (const [scimType, operation] of WRONG_PATCHES) {
    const first = { op: 'replace', path: 'displayName', value: 'Changed' }
    const { status, body, text } = await scim.patch(`/Users/${id}`, first, operation)
    assert.equal(body['scimType'], scimType, `${JSON.stringify(operation).slice(0, 100)}: ${text}`)
    assert.equal(status, scimType === 'uniqueness' ? 409 : 400, text)
  }
  for (const body of ['{', '[]', '1', 'null', '{"Operations":{}}', '{"Operations":[]}'])
    assert.equal(
      (await scim.send('PATCH', `/Users/${id}`, body)).body['scimType'],
      'invalidSyntax',
      body,
    )
  const proto = `{"schemas":["${PATCH}"],"Operations":[{"op":"add","value":{"__proto__":{"active":false}}}]}`
  assert.equal((await scim.send('PATCH', `/Users/${id}`, proto)).status, 400)
  assert.equal((await scim.get(`/Users/${id}`)).text, before)
  const many = Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'active', value: true }))
  assert.equal((await scim.patch(`/Users/${id}`, ...many)).body['scimType'], 'tooMany')
})

test('filters find people, and a hostile filter is refused', async () => {
  const { scim } = opened()
  const id = await scim.createUser('O"Neil@corp.example', {
    emails: [{ value: 'neil@corp.example', type: 'work' }],
    externalId: 'Ext-1',
  })
  const found = [
    String.raw`userName eq "o\"neil@CORP.example"`,
    'externalId eq "Ext-1"',
    'emails[type eq "work" and value co "neil@"]',
    'emails.value eq "neil@corp.example"',
    'emails sw "neil@corp"',
    `id eq "${id}" and not (active eq false)`,
    `(userName sw "o" or userName ew "%") and name.familyName pr and externalId eq "Ext-1"`,
    `urn:ietf:params:scim:schemas:core:2.0:User:externalId eq "Ext-1" and active eq "True"`,
    `externalId eq "Ext-1" and meta.created lt "2100-01-01T00:00:00Z"`,
  ]
  for (const filter of found) assert.deepEqual(await scim.find('/Users', filter), [id], filter)
  const none = [
    'externalId eq "ext-1"',
    `externalId eq "' or 1=1 --"`,
    'userName eq "%"',
    'displayName co "_\\\\%"',
  ]
  for (const filter of none) assert.deepEqual(await scim.find('/Users', filter), [], filter)
  const wrong = [
    'userName',
    'userName eq',
    'userName eq "a',
    "userName eq 'a'",
    'userName is "a"',
    '__proto__ eq "a"',
    'constructor pr',
    'password eq "a"',
    'userName eq "a" userName eq "b"',
    'active gt true',
    'emails[type eq "work"',
    '('.repeat(50),
    `${'('.repeat(11)}active eq true${')'.repeat(11)}`,
    Array.from({ length: 51 }, () => 'active eq true').join(' or '),
    `userName eq "${'x'.repeat(2_000)}"`,
    String.raw`userName eq "\u0000"`,
  ]
  for (const filter of wrong) {
    const { status, body } = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
    assert.deepEqual([status, body['scimType']], [400, 'invalidFilter'], filter.slice(0, 60))
  }
})

test('a list has pages, and a resource only the attributes that the client wants', async () => {
  const { scim } = opened()
  for (const name of ['one', 'two', 'three']) await scim.createUser(`page-${name}@corp.example`)
  const filter = encodeURIComponent('userName sw "page-"')
  const page = async (query: string) => (await scim.get(`/Users?filter=${filter}${query}`)).body
  assert.partialDeepStrictEqual(await page('&startIndex=1&count=100'), {
    totalResults: 3,
    itemsPerPage: 3,
  })
  assert.partialDeepStrictEqual(await page('&startIndex=3&count=2'), {
    totalResults: 3,
    itemsPerPage: 1,
    startIndex: 3,
  })
  assert.partialDeepStrictEqual(await page('&count=0'), { totalResults: 3, Resources: [] })
  assert.partialDeepStrictEqual(await page('&startIndex=-5&count=-1'), {
    startIndex: 1,
    itemsPerPage: 0,
  })
  const names = async (query: string) =>
    Object.keys((await page(`&count=1${query}`)).Resources[0] ?? {}).toSorted()
  assert.deepEqual(await names('&attributes=userName,emails.value'), [
    'emails',
    'id',
    'schemas',
    'userName',
  ])
  assert.ok(
    !(await names('&excludedAttributes=meta,EMAILS')).some((name) =>
      ['meta', 'emails'].includes(name),
    ),
  )
  assert.equal((await scim.get('/Users?count=many')).body['scimType'], 'invalidValue')
})

test('a change with an outdated entity tag is refused', async () => {
  const { scim, ada } = opened()
  const id = await scim.createUser('etag@corp.example')
  const { headers } = await scim.get(`/Users/${id}`)
  const etag = headers.get('etag') ?? ''
  assert.equal((await scim.get(`/Users/${id}`, { 'if-none-match': etag })).status, 304)
  const rename = {
    schemas: [PATCH],
    Operations: [{ op: 'replace', path: 'displayName', value: 'B' }],
  }
  assert.equal((await scim.send('PATCH', `/Users/${id}`, rename, { 'if-match': etag })).status, 200)
  for (const method of ['PATCH', 'DELETE'])
    assert.equal(
      (await scim.send(method, `/Users/${id}`, rename, { 'if-match': etag })).status,
      412,
    )
  // A change in the console counts too.
  const { headers: fresh } = await scim.get(`/Users/${id}`)
  assert.equal((await ada.put(`/web/users/${id}`, { isActive: false })).status, 200)
  const outdated = { 'if-match': fresh.get('etag') ?? '' }
  assert.equal((await scim.send('PATCH', `/Users/${id}`, rename, outdated)).status, 412)
})

test('a user name or address of somebody else is a conflict', async () => {
  const { scim } = opened()
  await scim.createUser('taken@corp.example')
  for (const userName of ['TAKEN@corp.example', 'ada@example.com']) {
    const { status, body } = await scim.send('POST', '/Users', { schemas: [USER], userName })
    assert.deepEqual([status, body['scimType']], [409, 'uniqueness'], userName)
  }
  const byEmail = { userName: 'other', emails: [{ value: 'taken@corp.example' }] }
  assert.equal((await scim.send('POST', '/Users', byEmail)).status, 409)
  assert.equal(
    (await scim.send('POST', '/Users', { userName: 'no-address' })).body['scimType'],
    'invalidValue',
  )
})

test('the last admin is neither deactivated nor deleted', async () => {
  const { scim } = opened()
  const [id = ''] = await scim.find('/Users', 'userName eq "ada@example.com"')
  const off = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  assert.match(String(off.body['detail']), /last admin/)
  assert.equal((await scim.send('DELETE', `/Users/${id}`)).status, 409)
  assert.equal((await scim.get(`/Users/${id}`)).body['active'], true)
})

test('a provisioned person signs in by the id of the provider or a verified address, but into no account of others', async () => {
  const { scim, provider } = opened()
  const sign = async (login: string) => {
    const visitor = new ProviderVisitor(opened().service.anonymousClient())
    return [await visitor.signIn(login), (await visitor.user())?.['id'] ?? null]
  }
  const staff = { email_verified: true, groups: [] }
  provider.people['00u1'] = { ...staff, name: 'Ida', email: 'changed@elsewhere.example' }
  provider.people['00u2'] = { ...staff, name: 'Joe', email: 'joe@elsewhere.example' }
  provider.people['00u3'] = { ...staff, name: 'Joe 2', email: 'joe@elsewhere.example' }
  provider.people['00u4'] = {
    ...staff,
    name: 'Kim',
    email: 'kim@elsewhere.example',
    email_verified: false,
  }
  const ida = await scim.createUser('ida@corp.example', { externalId: '00u1' })
  const joe = await scim.createUser('joe@elsewhere.example')
  await scim.createUser('kim@elsewhere.example')
  assert.deepEqual(await sign('00u1'), ['/', ida])
  assert.deepEqual(await sign('00u2'), ['/', joe])
  // The account has an owner now, so a second person with its address does not get in.
  assert.deepEqual(await sign('00u3'), ['/sign-in?problem=account_exists', null])
  assert.deepEqual(await sign('00u4'), ['/sign-in?problem=email_not_verified', null])
  // An account that a person made here has an owner too, even if the client manages it.
  const [ada = ''] = await scim.find('/Users', 'userName eq "ada@example.com"')
  provider.people['00u5'] = { ...staff, name: 'Ada', email: 'ada@example.com' }
  assert.equal(
    (await scim.patch(`/Users/${ada}`, { op: 'add', path: 'externalId', value: '00u5' })).status,
    200,
  )
  assert.deepEqual(await sign('00u5'), ['/sign-in?problem=account_exists', null])
  await scim.patch(`/Users/${joe}`, { op: 'Replace', path: 'active', value: 'False' })
  assert.deepEqual(await sign('00u2'), ['/sign-in?problem=account_deactivated', null])
  await scim.patch(`/Users/${joe}`, { op: 'Replace', path: 'active', value: 'True' })
  assert.deepEqual(await sign('00u2'), ['/', joe])
})

test('a deleted person is gone, but not private projects that only they own', async () => {
  const { scim, ada } = opened()
  const lea = await scim.createUser('lea@corp.example')
  assert.equal((await scim.send('DELETE', `/Users/${lea}`)).status, 204)
  assert.equal((await scim.get(`/Users/${lea}`)).status, 404)
  assert.equal((await scim.send('DELETE', `/Users/${lea}`)).status, 404)
  opened().provider.people['mia'] = { name: 'Mia', email: 'mia@corp.example', email_verified: true }
  const mia = await scim.createUser('mia@corp.example', { externalId: 'mia' })
  const visitor = new ProviderVisitor(opened().service.anonymousClient())
  assert.equal(await visitor.signIn('mia'), '/')
  await visitor.user()
  const saved = await visitor.client.put('/web/projects/mias-own/documents/a.md', 'x', {
    'content-type': 'text/markdown',
  })
  assert.ok(saved.status < 300, JSON.stringify(saved.body))
  const access = await visitor.client.put('/web/projects/mias-own/access', { access: 'private' })
  assert.equal(access.status, 200, JSON.stringify(access.body))
  assert.equal((await scim.send('DELETE', `/Users/${mia}`)).status, 204)
  assert.equal((await scim.get(`/Users/${mia}`)).status, 404)
  assert.equal((await visitor.client.get('/web/projects')).status, 401)
  const again = await scim.send('POST', '/Users', { userName: 'mia@corp.example' })
  assert.match(
    `${again.status} ${String(again.body['detail'])}`,
    /^409 .*still owns private projects/,
  )
  const { body } = await ada.get('/web/people')
  const people = body['users'] as Array<{ id: string; deactivatedAt: string | null }>
  assert.ok(people.find(({ id }) => id === mia)?.deactivatedAt)
})
