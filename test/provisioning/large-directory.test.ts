import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openTestDatabase } from '../support/database/test-database.ts'
import {
  findTurnLimitMs,
  measureLongestTurn,
  repeatWhileLonger,
} from '../support/http/event-loop-turns.ts'
import { startWithRoutes } from '../support/service/start-nodes.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { GROUP, openScimClient, PATCH } from './scim-world.ts'

const PEOPLE = IS_FULL_SIZE ? 10_000 : 2_000
const PAGE = 200

type Resource = Record<string, unknown> & { id: string }
type Answer = { status: number; ms: number; bytes: number; body: Record<string, unknown> }
type Member = { value: string }

const idOf = (number: number) => `usr_many${String(number).padStart(6, '0')}`
const IDS = Array.from({ length: PEOPLE }, (_, i) => idOf(i))
const toMembers = (ids: readonly string[]) =>
  ids.map((value) => ({ value, display: `Person ${value}@corp.example` }))
const listIds = (body: Answer['body']) =>
  (body['members'] as Member[] | undefined)?.map(({ value }) => value).toSorted() ?? []
const query = (values: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  )

test('thousands of people and a group of them all are listed, filtered and changed in short turns', async (t) => {
  await using database = await openTestDatabase()
  await using service = await startWithRoutes({
    DATABASE_URL: database.url,
    HANSARD_RATE_LIMIT: 'off',
  })
  const ada = await service.adminClient()
  const { secret } = await openScimClient(service, ada)
  await database.pool.query(
    `insert into app_user (id, email, name, role, created_at)
     select id, 'person' || i || '@corp.example', 'Person ' || i, 'member', now() + i * interval '1 ms'
     from unnest($1::text[]) with ordinality as given(id, i)`,
    [IDS],
  )
  const limitMs = findTurnLimitMs()
  const longest: Array<{ ms: number; subject: string }> = []
  const send = async (method: 'GET' | 'PUT' | 'PATCH' | 'POST', path: string, body?: object) => {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    let answer: Answer | null = null
    const call = () =>
      measureLongestTurn(async () => {
        const began = performance.now()
        const { statusCode, body: text } = await service.app.inject({
          method,
          url: `/scim/v2${path}`,
          headers: {
            authorization: `Bearer ${secret}`,
            ...(payload !== undefined && { 'content-type': 'application/scim+json' }),
          },
          ...(payload !== undefined && { payload }),
        })
        answer ??= {
          status: statusCode,
          ms: performance.now() - began,
          bytes: text.length,
          body: JSON.parse(text) as Answer['body'],
        }
      })
    const ms = await repeatWhileLonger(limitMs, call)
    assert.ok(answer !== null)
    const { status, ms: wholeMs, bytes } = answer as Answer
    const subject = `${method} ${path.slice(0, 60)}`
    longest.push({ ms, subject })
    t.diagnostic(
      `${subject}: ${status}, ${wholeMs.toFixed(0)} ms, turn ${ms.toFixed(0)} ms, ${bytes} bytes`,
    )
    return answer as Answer
  }

  const created = await send('POST', '/Groups', {
    schemas: [GROUP],
    displayName: 'Everyone',
    members: toMembers(IDS),
  })
  assert.equal(created.status, 201)
  assert.deepEqual(listIds(created.body), IDS)
  const group = `/Groups/${String(created.body['id'])}`

  const seen = new Set<string>()
  for (let startIndex = 1; startIndex <= PEOPLE; startIndex += PAGE) {
    const page = query({ startIndex, count: PAGE, filter: 'emails.value ew "@corp.example"' })
    const { body } = await send('GET', `/Users?${page.toString()}`)
    assert.equal(body['totalResults'], PEOPLE)
    for (const { id } of body['Resources'] as Resource[]) seen.add(id)
  }
  assert.deepEqual([...seen].toSorted(), IDS)
  const after = await send(
    'GET',
    `/Users?${query({ startIndex: PEOPLE + 2, count: PAGE }).toString()}`,
  )
  assert.deepEqual(after.body['Resources'], [])

  const found = async (path: string, filter: string) => {
    const { status, body } = await send('GET', `${path}?${query({ filter }).toString()}`)
    assert.equal(status, 200)
    return (body['Resources'] as Resource[]).map(({ id }) => id)
  }
  const last = IDS.at(-1) ?? ''
  assert.deepEqual(await found('/Users', `userName eq "person${PEOPLE}@CORP.example"`), [last])
  assert.deepEqual(await found('/Groups', `members[value eq "${last}"]`), [created.body['id']])
  assert.deepEqual(await found('/Groups', `members[value eq "usr_nobody"]`), [])

  const patch = async (...operations: object[]) => {
    const answer = await send('PATCH', group, { schemas: [PATCH], Operations: operations })
    assert.equal(answer.status, 200)
    return listIds(answer.body)
  }
  const filters = IDS.slice(0, 20).map((id) => `value eq "${id}"`)
  assert.deepEqual(
    await patch({ op: 'remove', path: `members[${filters.join(' or ')}]` }),
    IDS.slice(20),
  )
  assert.deepEqual(await patch({ op: 'add', path: 'members', value: toMembers(IDS) }), IDS)
  const half = IDS.slice(0, PEOPLE / 2)
  assert.deepEqual(
    await patch({ op: 'remove', path: 'members', value: toMembers(half) }),
    IDS.slice(PEOPLE / 2),
  )
  assert.deepEqual(await patch({ op: 'replace', path: 'members', value: toMembers(IDS) }), IDS)
  assert.deepEqual(
    await patch(
      ...IDS.slice(0, 100).map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
    ),
    IDS.slice(100),
  )

  const put = async (ids: readonly string[]) => {
    const body = { schemas: [GROUP], displayName: 'Everyone', members: toMembers(ids) }
    return listIds((await send('PUT', group, body)).body)
  }
  assert.deepEqual(await put(half), half)
  assert.deepEqual(await put(IDS), IDS)
  const light = await send('GET', `${group}?excludedAttributes=members`)
  assert.equal(light.body['members'], undefined)
  const read = await send(
    'GET',
    `/Groups?${query({ filter: 'displayName eq "everyone"' }).toString()}`,
  )
  assert.deepEqual(listIds((read.body['Resources'] as Resource[])[0] ?? {}), IDS)

  assert.deepEqual(
    longest.filter(({ ms }) => ms > limitMs),
    [],
  )
})
