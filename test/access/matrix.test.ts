import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import {
  decideCalendarAccess,
  decideProjectAccess,
  decideTokenAccess,
  canBeRefusedToScopedKeys,
  isScopedKey,
  type AccessDecision,
} from '../../src/access/rules.ts'
import type { Viewer } from '../../src/access/viewer.ts'
import { listSubjects, type CheckedSubject } from '../../src/http/pipeline/access/subject-access.ts'
import {
  startAccessWorld,
  STOP_BEFORE_HANDLER,
  type AccessWorld,
} from '../support/access/access-world.ts'
import {
  ACCESS,
  addMatrixCallers,
  PLANTED,
  SUBJECT_NAMES,
  type Caller,
  type PlantedName,
  type SubjectName,
  type Things,
} from '../support/access/matrix-callers.ts'
import { FEWEST_CONNECTIONS } from '../support/service/start-service.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/**
 * Tests every route for every kind of caller and subject. The expectations come from the table in src/access/rules.ts.
 * The handlers do not run, because only the decisions before them are tested.
 */

let world: AccessWorld
let things: Record<SubjectName, Things>
let callers: Record<string, Caller>
before(async () => {
  world = await startAccessWorld(FEWEST_CONNECTIONS)
  ;({ things, callers } = await addMatrixCallers(world))
})
after(() => world[Symbol.asyncDispose]())

const PLAIN_PARAMETERS: Record<string, string> = {
  number: '1',
  segmentNumber: '1',
  editNumber: '1',
  part: '1',
  format: 'md',
  userId: 'usr_x',
  name: 'x',
  id: 'x',
}

const isChecked = (subject: unknown): subject is CheckedSubject => typeof subject === 'object'

/** `rejected`: the caller is asked for credentials. */
type Expected = AccessDecision | 'rejected'
type Answer = { status: number; text: string }

function idOf({ kind }: CheckedSubject, subject: Things): string {
  return kind === 'new_project' ? subject.project : subject[kind]
}

type Fields = { required: readonly string[]; example: Readonly<Record<string, unknown>> }
const fieldsBySchema = new WeakMap<z.ZodType, Fields>()

/** Each cell of the matrix needs them again, and finding them takes longer than the request. */
function findFields(schema: unknown): Fields {
  if (!(schema instanceof z.ZodType)) return { required: [], example: {} }
  let fields = fieldsBySchema.get(schema)
  if (fields === undefined) {
    const { required = [], examples } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    })
    fields = { required, example: (examples?.[0] ?? {}) as Fields['example'] }
    fieldsBySchema.set(schema, fields)
  }
  return fields
}

/**
 * A body that reaches the access check: the example of the OpenAPI document, or only its required fields if subjects
 * are added, because subjects can exclude other fields.
 */
function exampleBodyOf({ schema }: RouteOptions, subjects: Record<string, string>): object {
  const { required, example } = findFields(schema?.body)
  const given = required.map((name) => [name, example[name] ?? 'x'])
  const hasSubjects = Object.keys(subjects).length > 0
  return { ...(hasSubjects ? {} : example), ...Object.fromEntries(given), ...subjects }
}

/** Required query parameters. Each planted meeting has this word. */
function requiredQueryOf({ schema }: RouteOptions): Record<string, string> {
  return Object.fromEntries(findFields(schema?.querystring).required.map((name) => [name, 'today']))
}

/** Without a subject, the request is not limited to one. */
async function send(
  route: RouteOptions,
  caller: Caller,
  subject: Things | null,
  extra: Record<string, string> = STOP_BEFORE_HANDLER,
): Promise<Answer> {
  const subjects = listSubjects(route.config?.subject).filter(isChecked)
  const from = (place: CheckedSubject['from']) =>
    Object.fromEntries(
      subject === null
        ? []
        : subjects
            .filter((one) => one.from === place)
            .map((one) => [one.field, idOf(one, subject)]),
    )
  const params: Record<string, string> = { ...PLAIN_PARAMETERS, ...from('params') }
  const path = route.url
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'))
    .replace('*', 'notes/x.md')
  const query = new URLSearchParams({ ...requiredQueryOf(route), ...from('query') }).toString()
  const isWeb = route.url.startsWith('/web')
  const body = exampleBodyOf(route, from('body'))
  const mediaType = route.config?.consumes?.[0]
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  const { statusCode: status, body: text } = await world.app.inject({
    method: route.method as 'GET',
    url: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(isWeb ? caller.session : caller.key),
      ...(hasBody && { 'content-type': mediaType ?? 'application/json' }),
      ...extra,
    },
    ...(hasBody && { payload: mediaType === undefined ? JSON.stringify(body) : 'text' }),
  })
  return { status, text }
}

async function sendForEachSubject(
  route: RouteOptions,
  caller: Caller,
): Promise<Record<SubjectName, Answer>> {
  const answers = await Promise.all(
    SUBJECT_NAMES.map(async (name) => [name, await send(route, caller, things[name])] as const),
  )
  return Object.fromEntries(answers) as Record<SubjectName, Answer>
}

/** The expected decision, and the subject for which the request is refused. */
function decide(
  route: RouteOptions,
  caller: Caller,
  name: SubjectName,
): { expected: Expected; refused: string | null } {
  const isWeb = route.url.startsWith('/web')
  const { viewer, roles } = caller
  const hasCredentials = Object.keys(isWeb ? caller.session : caller.key).length > 0
  if (viewer === null || !hasCredentials) return { expected: 'rejected', refused: null }
  for (const { kind, action } of listSubjects(route.config?.subject).filter(isChecked)) {
    const expected = decideOne(viewer, kind, action, name, roles)
    if (expected !== 'allowed') return { expected, refused: kind }
  }
  return { expected: 'allowed', refused: null }
}

/** Tokens without a creator are service tokens. */
function tokenOf({ creatorId }: Things): Parameters<typeof decideTokenAccess>[1] {
  return { creatorId, kind: creatorId === null ? 'service' : 'personal' }
}

function decideOne(
  viewer: Viewer,
  kind: CheckedSubject['kind'],
  action: CheckedSubject['action'],
  name: SubjectName,
  roles: Caller['roles'],
): AccessDecision {
  const access = name === 'missing' ? 'team' : ACCESS[name]
  const { project } = things[name]
  const facts = { project, access, memberRole: roles[name] ?? null }
  // The planted calendars belong to the instance.
  if (kind === 'calendar' || kind === 'upcoming')
    return name === 'missing' ? 'hidden' : decideCalendarAccess(viewer, { ...facts, ownerId: null })
  // Nothing is checked for an unrestricted viewer. The handler notices that a subject is missing.
  const isLimited = viewer.kind !== 'service' || viewer.projects !== null
  if (!isLimited && !(isScopedKey(viewer) && canBeRefusedToScopedKeys(action))) return 'allowed'
  if (kind === 'token')
    return name === 'missing' ? 'hidden' : decideTokenAccess(viewer, tokenOf(things[name]), action)
  if (name === 'missing' && kind !== 'new_project') return 'hidden'
  return decideProjectAccess(viewer, action, facts)
}

const EXPECTED_STATUS = {
  allowed: 299,
  forbidden: 403,
  scoped_key: 403,
  hidden: 404,
  rejected: 401,
} as const

/** Tokens have no session, so to the console they are all the same anonymous caller. */
function listCallersOf({ url }: RouteOptions): Array<[string, Caller]> {
  const hasSession = ({ session }: Caller) => Object.keys(session).length > 0
  return Object.entries(callers).filter(
    ([name, caller]) => !url.startsWith('/web') || name === 'anonymous' || hasSession(caller),
  )
}

function listRoutes(): RouteOptions[] {
  return world.app.declaredRoutes
    .map((route) => ({ ...route, method: [route.method].flat()[0] ?? 'GET' }))
    .filter(({ method }) => method !== 'HEAD')
}

/** The body without parts that differ in every response, and with the subject's name in place of its id. */
function comparable(answer: Answer, subject: Things): string {
  let text = answer.text.replace(/"requestId":"\w+"/, '')
  // Longest first, because the project's name is a part of others.
  const ids = Object.values(subject).filter((id) => id !== null)
  for (const id of ids.toSorted((a, b) => b.length - a.length)) text = text.replaceAll(id, '?')
  return text
}

/**
 * Every caller calls the first route of each declaration of access and subjects. Only these callers call the other
 * routes, which shows that they have the same check. `TEST_SIZE=full` makes every caller call all routes.
 */
const CALLERS_OF_EVERY_ROUTE = new Set(['outside', 'reader', 'narrowed'])
test('what each caller may do with each subject equals the table, and hidden subjects look missing', async (t) => {
  const wrong: string[] = []
  const declarations = new Set<string>()
  let cells = 0
  let routes = 0
  for (const route of listRoutes()) {
    if (!listSubjects(route.config?.subject).some(isChecked)) continue
    routes += 1
    const { access, subject } = route.config ?? {}
    const declaration = JSON.stringify([route.url.split('/')[1], access, subject])
    const isFirst = IS_FULL_SIZE || !declarations.has(declaration)
    declarations.add(declaration)
    for (const [callerName, caller] of listCallersOf(route)) {
      if (!isFirst && !CALLERS_OF_EVERY_ROUTE.has(callerName)) continue
      const responses = await sendForEachSubject(route, caller)
      const { missing } = responses
      for (const name of SUBJECT_NAMES) {
        const { expected, refused } = decide(route, caller, name)
        const response = responses[name]
        cells += 1
        const cell = `${String(route.method)} ${route.url} ${callerName} ${name}`
        if (response.status !== EXPECTED_STATUS[expected])
          wrong.push(`${cell}: ${response.status} ${response.text}, not ${expected}`)
        // A project that does not exist would be created.
        const isComparable = decide(route, caller, 'missing').refused === refused
        const isEqual = comparable(response, things[name]) === comparable(missing, things.missing)
        if (expected === 'hidden' && isComparable && !isEqual)
          wrong.push(`${cell}: ${response.text}, but ${missing.text}`)
      }
    }
  }
  t.diagnostic(`${cells} cells of ${routes} routes and ${Object.keys(callers).length} callers`)
  assert.deepEqual(wrong.slice(0, 20), [])
  assert.ok(cells >= 2_000, `only ${cells} cells`)
})

test('routes about no single subject are refused to callers without the credentials they declare', async () => {
  const wrong: string[] = []
  for (const route of listRoutes()) {
    const subjects = listSubjects(route.config?.subject)
    if (subjects.some(isChecked)) continue
    const { access = 'admin' } = route.config ?? {}
    for (const [name, caller] of listCallersOf(route)) {
      const { status, text } = await send(route, caller, things.team)
      const isOpen = access === 'open' || access === 'same_site'
      const credentials = route.url.startsWith('/web') ? caller.session : caller.key
      const isIn = isOpen || (caller.viewer !== null && Object.keys(credentials).length > 0)
      const { viewer } = caller
      const isAdmin = viewer?.kind === 'user' && viewer.role === 'admin'
      const isLimited = viewer !== null && viewer.kind !== 'task' && viewer.projects !== null
      const hasAdminKey =
        (isAdmin || viewer?.kind === 'service') && !isLimited && name !== 'scopedService'
      const isRefused =
        // Provisioning is off on this instance.
        access === 'provisioning' ||
        (access === 'admin' && !isAdmin) ||
        (route.config?.needsAdminKey === true && !hasAdminKey)
      const expected =
        !isIn && access !== 'provisioning' ? [401] : isRefused ? [403] : [299, 400, 415]
      if (!expected.includes(status)) wrong.push(`${route.url} ${name}: ${status} ${text}`)
    }
  }
  assert.deepEqual(wrong.slice(0, 20), [])
})

test('the handlers answer a missing subject as the access check answers a hidden one', async () => {
  const wrong: string[] = []
  for (const route of listRoutes()) {
    const subjects = listSubjects(route.config?.subject).filter(isChecked)
    const isCreating = subjects.some(({ kind }) => kind === 'new_project')
    if (subjects.length === 0 || isCreating || !route.url.startsWith('/api/v1')) continue
    const { service, outside } = callers
    assert.ok(service && outside)
    const missing = await send(route, service, things.missing, {})
    const hidden = await send(route, outside, things.own, {})
    const [left, right] = [comparable(missing, things.missing), comparable(hidden, things.own)]
    if (missing.status !== hidden.status || left !== right)
      wrong.push(`${String(route.method)} ${route.url}: ${left} but ${right}`)
  }
  assert.deepEqual(wrong.slice(0, 20), [])
})

/** The subjects about which a request changes nothing that the test needs. Null for a list. */
function listHarmlessSubjects(
  { method, config }: RouteOptions,
  { readable }: Caller,
  sendsAboutOne: boolean,
): Array<PlantedName | null> {
  const subjects = listSubjects(config?.subject)
  const isStream = config?.produces === 'text/event-stream'
  const isReading = !isStream && (method === 'GET' || subjects.includes('list'))
  const isAboutOne = subjects.some(isChecked)
  return [
    ...PLANTED.filter(
      (name) => isAboutOne && sendsAboutOne && (isReading || !readable.includes(name)),
    ),
    ...(isReading && (!isAboutOne || subjects.includes('list')) ? [null] : []),
  ]
}

/**
 * The handlers run. In a normal run, only some callers send requests about single subjects, because those are refused
 * before the handler, which the tests above check for all callers.
 */
test('no operation shows a caller a word of a project that the caller may not read, or fails', async (t) => {
  const operations = listRoutes().filter(({ url }) => url.startsWith('/api/v1/'))
  const headers = callers['service']?.key ?? {}
  const document = await world.app.inject({ url: '/openapi.json', headers })
  const { paths } = JSON.parse(document.body) as { paths: Record<string, object> }
  const documented = Object.values(paths).flatMap((path) => Object.keys(path))
  assert.equal(operations.length, documented.length)
  const wrong: string[] = []
  let calls = 0
  for (const route of operations) {
    const check = async (callerName: string, caller: Caller, name: PlantedName | null) => {
      const { status, text } = await send(route, caller, name && things[name], {})
      calls += 1
      // An error repeats the name of the task that the request is about.
      const shown = name === null ? text : text.replaceAll(things[name].task, '')
      const hidden = PLANTED.filter((one) => !caller.readable.includes(one))
      if (status >= 500 || hidden.some((one) => shown.includes(`word${one}`)))
        wrong.push(`${String(route.method)} ${route.url} ${callerName} ${name}: ${status} ${text}`)
    }
    const checks = Object.entries(callers).flatMap(([callerName, caller]) => {
      const sendsAboutOne = IS_FULL_SIZE || CALLERS_OF_EVERY_ROUTE.has(callerName)
      const names = listHarmlessSubjects(route, caller, sendsAboutOne)
      return names.map((name) => check(callerName, caller, name))
    })
    await Promise.all(checks)
  }
  const callerCount = Object.keys(callers).length
  t.diagnostic(`${calls} calls of ${operations.length} operations and ${callerCount} callers`)
  assert.deepEqual(wrong.slice(0, 20), [])
})
