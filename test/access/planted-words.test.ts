import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as fc from 'fast-check'
import type { RouteOptions } from 'fastify'
import type { MemberRole } from '../../src/access/rules.ts'
import { TEXT_TRANSCRIPT_FORMATS } from '../../src/http/shapes/values.ts'
import { listSubjects } from '../../src/http/pipeline/access/subject-access.ts'
import { openStream } from '../support/http/event-stream.ts'
import { fixPropertySeed } from '../support/property-seed.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
  type ProjectThings,
} from '../support/access/access-world.ts'

/**
 * Each project contains one word in its name and in all its stored content. Access, members and users change at random,
 * through the API. After each change, nothing that a user reads contains the word of a project that the user may not
 * read.
 */

fixPropertySeed()

/** Each is a correction of the others, so a suggestion would show them. */
const WORDS = ['kalimbara', 'kalimbare', 'kalimbari'] as const
const MISSPELT = 'kalimbarz'
const PEOPLE = 3

type Person = Credentials & { userId: string }
type Change =
  | { kind: 'access'; project: number; isPrivate: boolean }
  | { kind: 'member'; project: number; person: number; role: MemberRole | null }
  /** A user is removed, and a new one is created. */
  | { kind: 'user'; person: number }

let world: AccessWorld
/** May change everything and owns every project, so that each can become private. */
let keeper: { service: Record<string, string>; admin: Person }
let people: Person[]
let things: ProjectThings[]
const isPrivate = WORDS.map(() => false)
const roles = new Map<string, MemberRole>()

before(async () => {
  world = await startAccessWorld()
  keeper = { service: (await world.addToken({})).key, admin: await world.addUser('admin') }
  people = [await world.addUser('admin')]
  while (people.length < PEOPLE) people.push(await world.addUser())
  things = []
  for (const word of WORDS) {
    things.push(await world.plant(word, word))
    await world.addMember(word, keeper.admin.userId, 'owner')
  }
})
after(() => world[Symbol.asyncDispose]())

async function send(
  method: 'PUT' | 'POST' | 'DELETE',
  url: string,
  headers: Record<string, string>,
  payload?: object,
): Promise<void> {
  const answer = await world.app.inject({ method, url, headers, ...(payload && { payload }) })
  assert.equal(answer.statusCode, 200, `${method} ${url} ${answer.body}`)
}

async function apply(change: Change): Promise<void> {
  const { service, admin } = keeper
  if (change.kind === 'user') {
    const { userId = '' } = people[change.person] ?? {}
    await send('DELETE', `/web/users/${userId}`, admin.session)
    people[change.person] = await world.addUser()
    for (const [i] of WORDS.entries()) roles.delete(`${change.person} ${i}`)
    return
  }
  const url = `/api/v1/projects/${WORDS[change.project] ?? ''}`
  if (change.kind === 'access') {
    isPrivate[change.project] = change.isPrivate
    const access = change.isPrivate ? 'private' : 'team'
    return send('PUT', `${url}/access`, service, { access })
  }
  const { userId = '' } = people[change.person] ?? {}
  const key = `${change.person} ${change.project}`
  if (change.role === null) {
    if (roles.delete(key)) await send('DELETE', `${url}/members/${userId}`, service)
    return
  }
  roles.set(key, change.role)
  return send('POST', `${url}/members`, service, { userId, role: change.role })
}

const mayRead = (person: number, project: number) =>
  !isPrivate[project] || roles.has(`${person} ${project}`)

/**
 * The reading routes of one surface, and the figures of the instance. Streams do not end, so they are left out. Admins
 * may see names of private projects in data of the instance.
 */
function listReadRoutes(prefix: string): RouteOptions[] {
  return world.app.declaredRoutes.filter(
    ({ method, url, config }) =>
      method === 'GET' &&
      (url.startsWith(prefix) || url === '/metrics') &&
      config?.subject !== 'instance' &&
      config?.produces !== 'text/event-stream',
  )
}

const SEARCHES = [MISSPELT, 'note about', 'talked today', `${MISSPELT} elephants`]

/** A request, with the texts of its own path, which an error may repeat. */
type ReadRequest = { url: string; own: string[] }

/** Requests of a route: about each project if it names one, otherwise one for each query that could show a word. */
function listRequests(route: RouteOptions): ReadRequest[] {
  if (route.url.endsWith('/search'))
    return SEARCHES.map((text) => ({ url: `${route.url}?q=${encodeURIComponent(text)}`, own: [] }))
  if (route.url.endsWith('/task-figures'))
    return [{ url: `${route.url}?${things.map(({ task }) => `of=${task}`).join('&')}`, own: [] }]
  const formats = route.url.includes(':format') ? TEXT_TRANSCRIPT_FORMATS : ['md']
  const requests = things.flatMap((thing, i) =>
    formats.map((format) => {
      const values: Record<string, string> = { number: '1', format, name: thing.task, id: 'x' }
      for (const subject of listSubjects(route.config?.subject)) {
        if (typeof subject !== 'object') continue
        const { kind, field } = subject
        values[field] =
          kind === 'token' ? 'x' : kind === 'new_project' ? thing.project : thing[kind]
      }
      const url = route.url
        .replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'x')
        .replace('*', `notes/${WORDS[i]}.md`)
      return { url, own: [thing.task, thing.project] }
    }),
  )
  return /[:*]/.test(route.url) ? requests : requests.slice(0, 1)
}

async function findLeaks(person: number, prefix: string): Promise<string[]> {
  const { key, session } = people[person] ?? { key: {}, session: {} }
  const hidden = WORDS.filter((_, project) => !mayRead(person, project))
  const headers = prefix === '/web/' ? session : key
  const read = async ({ url, own }: ReadRequest) => {
    const { body, statusCode } = await world.app.inject({ method: 'GET', url, headers })
    const isError = statusCode >= 400
    const shown = isError
      ? own.reduce((text, repeated) => text.replaceAll(repeated, ''), body)
      : body
    const leaked = hidden.filter((word) => shown.includes(word))
    return statusCode >= 500 || leaked.length > 0 ? [`${url}: ${statusCode} ${body}`] : []
  }
  const leaks: string[] = []
  for (const route of listReadRoutes(prefix))
    leaks.push(...(await Promise.all(listRequests(route).map(read))).flat())
  return leaks
}

/** Questions about everything, and about each project and meeting. */
async function findLeaksInAnswers(person: number, prefix: string): Promise<string[]> {
  const { key, session } = people[person] ?? { key: {}, session: {} }
  const hidden = WORDS.filter((_, project) => !mayRead(person, project))
  const headers = prefix === '/web/' ? session : key
  const url = `${prefix}ask`
  const scopes = [
    {},
    ...things.flatMap(({ project: id, meeting }) => [{ project: id }, { meetingId: meeting }]),
  ]
  const ask = async (payload: object) => {
    const { body, statusCode } = await world.app.inject({ method: 'POST', url, headers, payload })
    const leaked = hidden.filter((word) => body.includes(word))
    const problem = `${url} ${JSON.stringify(payload)}: ${statusCode} ${body}`
    return statusCode >= 500 || leaked.length > 0 ? [problem] : []
  }
  const leaks: string[] = []
  for (const scope of scopes) {
    const questions = SEARCHES.map((question) => ask({ question, ...scope }))
    leaks.push(...(await Promise.all(questions)).flat())
  }
  return leaks
}

/** Checks that the stream of all events and the assistants' lists contain only the words that the user may read. */
async function assertStreamAndTools(person: number): Promise<void> {
  const { key } = people[person] ?? { key: {} }
  const hidden = WORDS.filter((_, project) => !mayRead(person, project))
  const readable = WORDS.filter((_, project) => mayRead(person, project))
  const origin = `http://127.0.0.1:${world.port}`
  const requestInit = { headers: key }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }))
  for (const name of ['list_meetings', 'list_projects', 'list_tasks', 'list_actions']) {
    const { content } = await client.callTool({ name, arguments: {} })
    const shown = WORDS.filter((word) => JSON.stringify(content).includes(word))
    assert.deepEqual(shown, readable, name)
  }
  await client.close()
  using stream = await openStream(`${origin}/api/v1/events/stream?after=0.0.0`, key)
  const shows = (word: string) => JSON.stringify(stream.messages).includes(word)
  await stream.waitUntil(() => readable.every(shows))
  assert.deepEqual(hidden.filter(shows), [])
}

/** Finds missing words that the user may read, so that empty responses don't pass. */
async function findMissing(person: number): Promise<string[]> {
  const { key } = people[person] ?? { key: {} }
  const readable = WORDS.filter((_, project) => mayRead(person, project))
  const missing: string[] = []
  for (const url of [
    '/api/v1/meetings',
    '/api/v1/actions',
    '/api/v1/tasks',
    '/api/v1/deliveries',
  ]) {
    const { body } = await world.app.inject({ method: 'GET', url, headers: key })
    for (const word of readable) if (!body.includes(word)) missing.push(`${url} lacks ${word}`)
  }
  const payload = { question: 'Who talked today?' }
  const url = '/api/v1/ask'
  const { body } = await world.app.inject({ method: 'POST', url, headers: key, payload })
  for (const word of readable) if (!body.includes(word)) missing.push(`${url} lacks ${word}`)
  return missing
}

const project = fc.nat({ max: WORDS.length - 1 })
const change = fc.oneof(
  fc.record({ kind: fc.constant('access' as const), project, isPrivate: fc.boolean() }),
  fc.record({
    kind: fc.constant('member' as const),
    project,
    person: fc.nat({ max: PEOPLE - 1 }),
    role: fc.constantFrom('reader' as const, 'editor' as const, 'owner' as const, null),
  }),
  // Not the admin, who is the first person.
  fc.record({
    kind: fc.constant('user' as const),
    person: fc.integer({ min: 1, max: PEOPLE - 1 }),
  }),
)

test('nothing shows a word of a project that its reader may not see, whatever changes', async () => {
  // Everything is private at first, so that the first checks already have something to hide.
  for (const [i] of WORDS.entries()) await apply({ kind: 'access', project: i, isPrivate: true })
  // Someone can read something from the start, and each kind of change happens.
  const first: Change[] = [
    { kind: 'member', project: 0, person: 1, role: 'reader' },
    { kind: 'user', person: 1 },
  ]
  const steps = IS_FULL_SIZE ? 60 : 1
  const changes = [...first, ...fc.sample(change, steps)]
  for (const [step, made] of changes.entries()) {
    await apply(made)
    // Both surfaces have the same handlers, so each step checks one of them.
    const prefix = step % 2 === 0 ? '/api/v1/' : '/web/'
    for (const [person] of people.entries()) {
      const context = JSON.stringify({ step, made, person })
      assert.deepEqual(await findLeaks(person, prefix), [], context)
      assert.deepEqual(await findMissing(person), [], context)
    }
    const asking = step % PEOPLE
    const answers = await findLeaksInAnswers(asking, prefix)
    assert.deepEqual(answers, [], JSON.stringify({ step, made, asking }))
  }
  for (const [person] of people.entries()) await assertStreamAndTools(person)
})
