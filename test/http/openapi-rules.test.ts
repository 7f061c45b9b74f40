import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { callbackHeaders } from '../../src/deliveries/signature.ts'
import { EVENT_TYPES, formatEventBody } from '../../src/meetings/event-types.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import {
  listOperations,
  listSchemas,
  readOpenApiDocument,
  type JsonSchema,
  type OpenApiDocument,
  type Parameter,
} from '../support/http/openapi-document.ts'
import { sendRequest } from '../support/http/raw-requests.ts'

let service: TestService
let document: OpenApiDocument
let headers: { 'x-api-key': string }
before(async () => {
  service = await startService()
  const admin = await service.adminClient()
  document = await readOpenApiDocument(admin)
  headers = { 'x-api-key': (await admin.createToken()).apiKey }
})
after(() => service[Symbol.asyncDispose]())

/** Statuses that every API request can get, with the headers that tell a client what to do. */
const COMMON_STATUSES = {
  401: ['WWW-Authenticate'],
  403: [],
  405: ['Allow'],
  408: [],
  414: [],
  417: [],
  429: ['Retry-After'],
  431: [],
  500: [],
  503: ['Retry-After'],
} as const

test('each operation has a unique id, and it and its parameters have descriptions', () => {
  const operations = listOperations(document)
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
  )
  for (const { about, operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/, about)
    assert.ok(operation.description, about)
    for (const { name, description } of operation.parameters)
      assert.ok(description, `${about} ${name}`)
  }
})

test('each operation documents every status that a request can get, with its headers', () => {
  for (const { about, operation, isWebhook } of listOperations(document)) {
    if (isWebhook) continue
    for (const [status, needed] of Object.entries(COMMON_STATUSES)) {
      const documented = Object.keys(operation.responses[status]?.headers ?? {})
      const missing = needed.filter((name) => !documented.includes(name))
      assert.ok(status in operation.responses, `${about} ${status}`)
      assert.deepEqual(missing, [], `${about} ${status}`)
    }
    for (const [status, { headers: named = {} }] of Object.entries(operation.responses)) {
      assert.ok('X-Request-Id' in named, `${about} ${status}`)
      if (status.startsWith('2')) assert.ok('RateLimit' in named, `${about} ${status}`)
    }
  }
})

test('a response has the headers that the document names', async () => {
  const path = '/api/v1/token'
  const documented = Object.keys(document.paths[path]?.['get']?.responses['200']?.headers ?? {})
  const answer = await sendRequest(service.url, { path, headers })
  assert.ok(documented.length >= 3)
  for (const name of documented) assert.ok(answer.headers.has(name), name)
})

test('each webhook has the headers and the body of a callback, an id and no security', () => {
  assert.deepEqual(Object.keys(document.webhooks), EVENT_TYPES)
  const payload = { speaker: 'Ada', text: 'Hello.', segmentNumber: 1, captionId: 'caption_1' }
  const at = new Date()
  const content = { ...payload, timestamp: at.toISOString() }
  const meetingId = 'meeting_1763195400000_k3v9x0q2m4za'
  const type = 'segment_finalized'
  const body = formatEventBody(meetingId, 3, at, { type, payload: content })
  const event = { meetingId, sequence: 3, previousSequence: 2, type, body: Buffer.from(body) }
  const sent = callbackHeaders(event, { signing: 'ss_now', alsoValid: [] }, 'dlv_1', at)
  for (const { about, operation, isWebhook } of listOperations(document)) {
    if (!isWebhook) continue
    assert.ok(operation.operationId, about)
    assert.deepEqual(operation.security, [], about)
    const { parameters } = operation
    assert.deepEqual(
      [
        ...parameters.map(({ name }) => name.toLowerCase()),
        'content-type',
        'user-agent',
      ].toSorted(),
      Object.keys(sent).toSorted(),
      about,
    )
    for (const { name, required, schema } of parameters) {
      const text = sent[name.toLowerCase()]
      assert.equal(required, true, `${about} ${name}`)
      assertValid(schema.type === 'integer' ? Number(text) : text, schema, `${about} ${name}`)
    }
  }
  const schema = document.webhooks[type]?.['post']?.requestBody?.content['application/json']?.schema
  assert.ok(schema)
  assertValid(JSON.parse(body), schema, type)
})

test('each field has an example, and each example and default satisfies its schema', () => {
  for (const { about, schema, isProperty } of listSchemas(document)) {
    const examples = (schema['examples'] ?? []) as unknown[]
    for (const example of examples) assertValid(example, schema, about)
    if ('default' in schema) assertValid(schema['default'], schema, `${about}: default`)
    if (isProperty && isSimple(schema)) assert.ok(examples.length > 0, about)
  }
  for (const { about, operation } of listOperations(document)) {
    for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
      if (schema.type === 'object' && !about.includes('_'))
        assert.ok(schema['examples'], `${about} ${type}`)
    }
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      for (const { schema, example, examples = {} } of Object.values(content)) {
        if (example !== undefined) assertValid(example, schema, `${about} ${status}`)
        for (const { value } of Object.values(examples))
          assertValid(value, schema, `${about} ${status}`)
      }
    }
  }
})

test('each integer has the range of its values, not the one of JavaScript numbers', () => {
  const integers = listSchemas(document).filter(({ schema }) => schema.type === 'integer')
  assert.ok(integers.length > 100)
  for (const { about, schema } of integers) {
    const { minimum, maximum, format } = schema
    assert.ok(typeof minimum === 'number' && minimum >= 0, about)
    if (maximum === undefined) assert.equal(format, 'int64', about)
    else assert.ok(Number(maximum) < 2 ** 31, about)
  }
})

test('a field that the service fills when it is missing has its default', () => {
  const body = (path: string, method = 'post') =>
    document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema.properties
  const query = (path: string) =>
    Object.fromEntries(
      (document.paths[path]?.['get']?.parameters ?? []).map(({ name, schema }) => [name, schema]),
    )
  const defaultsOf = (fields: Record<string, JsonSchema> = {}) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, schema]) => 'default' in schema)
        .map(([name, schema]) => [name, schema['default']]),
    )
  assert.deepEqual(defaultsOf(body('/api/v1/meetings/start')), {
    project: 'api',
    saveTranscript: true,
    speech: 'fallback',
    capture: 'bot',
    coach: true,
  })
  assert.deepEqual(defaultsOf(body('/api/v1/tasks')), {
    timezone: 'UTC',
    enabled: true,
    timeout: 300_000,
  })
  // A generated client may send a default, which must not change a task.
  assert.deepEqual(defaultsOf(body('/api/v1/tasks/{name}', 'put')), {})
  assert.deepEqual(defaultsOf(query('/api/v1/tasks/{name}/history')), { limit: 50, offset: 0 })
  // Without a limit this list is complete.
  assert.deepEqual(defaultsOf(query('/api/v1/projects')), {})
})

test('no value of its documented length is refused because the URL or the headers are too long', async () => {
  for (const { about, method, path, operation, isWebhook } of listOperations(document)) {
    if (isWebhook || method !== 'get' || path.endsWith('/stream')) continue
    for (const parameter of operation.parameters.filter(isLimitedText)) {
      const answer = await sendRequest(service.url, { path: fill(path, parameter), headers })
      assert.ok(![414, 431].includes(answer.status), `${about} ${parameter.name}: ${answer.text}`)
    }
  }
})

function isLimitedText({ in: place, schema }: Parameter): boolean {
  return place !== 'header' && schema.type === 'string' && 'maxLength' in schema
}

/** The path with the longest value of one parameter, in characters that need the most bytes in a URL. */
function fill(path: string, { name, in: place, schema }: Parameter): string {
  const character = new RegExp(schema.pattern ?? '', 'u').test('😀') ? '😀' : 'x'
  const longest = encodeURIComponent(character).repeat(Number(schema['maxLength']))
  const url = path.replace(`{${name}}`, place === 'path' ? longest : '').replaceAll(/\{\w+\}/g, 'x')
  return place === 'query' ? `${url}?${name}=${longest}` : url
}

/** True for a text, a number, a boolean or a list of these. */
function isSimple(schema: JsonSchema): boolean {
  if (schema.items !== undefined) return isSimple(schema.items)
  if (schema.anyOf !== undefined) return schema.anyOf.every(isSimple)
  if ('const' in schema) return false
  return schema.type !== undefined && schema.type !== 'object'
}

function assertValid(value: unknown, schema: JsonSchema, about: string): void {
  const { success, error } = toType(schema).safeParse(value)
  assert.ok(success, `${about}: ${JSON.stringify(value)}: ${String(error?.message)}`)
}

function toType(schema: JsonSchema): z.ZodType {
  const $defs: Record<string, JsonSchema> = {}
  addReferenced(schema, $defs)
  const standalone = JSON.stringify({ ...schema, $defs })
  return z.fromJSONSchema(
    JSON.parse(
      standalone.replaceAll('#/components/schemas/', '#/$defs/'),
    ) as z.core.JSONSchema.JSONSchema,
  )
}

/** Adds the components that a schema refers to. Converting all of them for each schema would take seconds. */
function addReferenced(schema: JsonSchema, found: Record<string, JsonSchema>): void {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const component = document.components.schemas[name]
    if (component === undefined || name in found) continue
    found[name] = component
    addReferenced(component, found)
  }
}
