import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createOrders, ORDERS } from '../support/http/order-routes.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { THINGS, thingRoutes } from '../support/http/thing-routes.ts'
import { readOpenApiDocument, type OpenApiDocument } from '../support/http/openapi-document.ts'

const orders = createOrders()
const sharedService = startServiceForFile(
  {},
  {
    routes(app, db) {
      thingRoutes(app)
      orders.routes(app, db)
    },
  },
)

async function readDocument(): Promise<OpenApiDocument> {
  return await readOpenApiDocument(await sharedService().adminClient())
}

/** The media types of other bodies than JSON, by the ends of their paths. */
const NON_JSON_BODIES = [
  ['/documents/{path}', 'text/markdown'],
  ['/parts/{part}', 'application/octet-stream'],
] as const
/** Operations that need no request body. */
const NO_BODY =
  /^\/api\/v1\/(?:calendars\/\{calendarId}\/poll|connections\/\{connectionId}\/(?:check|read)|tasks\/.*\/(?:run|enable|disable|take-over|cancel)|deliveries\/failed\/replay|mail\/\{mailId}\/retry|projects\/\{projectId}\/notifications\/\{notificationId}\/test|projects\/.*\/test|meetings\/.*\/(?:recap|undo|bookmarks\/\{segmentNumber}))$/
/** Statuses whose responses never have a body. */
const BODILESS_STATUSES = new Set(['204', '304'])
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

test('/openapi.json is an OpenAPI 3.1 document of the API', async () => {
  const { openapi, info, tags, paths, components } = await readDocument()
  assert.match(openapi, /^3\.1\.\d$/)
  assert.equal(info['title'], 'Hansard')
  assert.match(String(info['version']), /^\d+\.\d+\.\d+/)
  assert.ok('apiKey' in components.securitySchemes && 'bearer' in components.securitySchemes)
  assert.ok(paths['/api/v1/token'] && paths[THINGS] && paths[`${THINGS}/{id}`] && paths[ORDERS])
  const known = new Set(tags.map(({ name }) => name))

  for (const [path, operations] of Object.entries(paths)) {
    assert.match(path, /^\/api\/v1\/[\w/{}-]+$/)
    for (const [method, operation] of Object.entries(operations)) {
      const about = `${method} ${path}`
      assert.ok(METHODS.has(method), about)
      assert.ok(operation.summary, `${about} has a summary`)
      assert.ok(operation.tags?.length, `${about} has a tag`)
      for (const tag of operation.tags ?? []) assert.ok(known.has(tag), `${about}: ${tag}`)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
      assert.deepEqual(declared.map(({ name }) => name).toSorted(), inPath.toSorted(), about)
      for (const { required } of declared) assert.equal(required, true, about)
    }
  }
})

test('each operation of the OpenAPI document has its responses, errors and request body', async () => {
  const { paths } = await readDocument()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses, requestBody }] of Object.entries(operations)) {
      const about = `${method} ${path}`
      const statuses = Object.keys(responses)
      assert.ok(
        statuses.some((status) => status.startsWith('2')),
        about,
      )
      for (const status of ['401', '403', '429', '503']) assert.ok(status in responses, about)
      for (const [status, { description, content }] of Object.entries(responses)) {
        assert.match(status, /^[2-5]\d\d$/, about)
        assert.ok(description, `${about} ${status} has a description`)
        if (BODILESS_STATUSES.has(status)) {
          assert.equal(content, undefined, `${about} ${status}`)
          continue
        }
        assert.ok(content, `${about} ${status}`)
        const isJson = !status.startsWith('2') || 'application/json' in content
        const schema = isJson
          ? content['application/json']?.schema
          : Object.values(content)[0]?.schema
        assert.ok(schema, `${about} ${status}`)
        if (!status.startsWith('2'))
          assert.deepEqual(schema, { $ref: '#/components/schemas/Error' }, about)
      }
      const takesBody = ['post', 'put', 'patch'].includes(method) && !NO_BODY.test(path)
      assert.equal(requestBody !== undefined, takesBody, about)
      if (requestBody === undefined) continue
      const type = NON_JSON_BODIES.find(([end]) => path.endsWith(end))?.[1] ?? 'application/json'
      assert.ok(requestBody.content[type]?.schema, about)
      for (const status of ['400', '413', '415']) assert.ok(status in responses, about)
      assert.match(responses['503']?.description ?? '', /storage_full.*storage_not_writable/, about)
    }
  }
})

test('a route that accepts an Idempotency-Key documents the header and its errors', async () => {
  const { paths } = await readDocument()
  const order = paths[ORDERS]?.['post']
  const names = order?.parameters.filter((row) => row.in === 'header').map(({ name }) => name)
  assert.deepEqual(names, ['Idempotency-Key'])
  for (const status of ['409', '422']) assert.ok(status in (order?.responses ?? {}), status)
})

test('a deprecated route says so in the document and in the headers of each answer', async () => {
  const { paths } = await readDocument()
  const read = paths[`${THINGS}/{id}`]?.['get']
  assert.deepEqual([read?.deprecated, paths[THINGS]?.['post']?.deprecated], [true, undefined])
  const headers = Object.keys(read?.responses['200']?.headers ?? {})
  for (const name of ['Deprecation', 'Sunset']) assert.ok(headers.includes(name), name)

  const { url } = sharedService()
  const { apiKey } = await (await sharedService().adminClient()).createToken()
  for (const key of [apiKey, 'sk_wrong']) {
    const answer = await fetch(`${url}${THINGS}/1`, { headers: { 'x-api-key': key } })
    assert.equal(answer.headers.get('deprecation'), '@1794700800')
    assert.equal(answer.headers.get('sunset'), 'Sat, 15 May 2027 00:00:00 GMT')
  }
  const other = await fetch(`${url}/healthz`)
  assert.deepEqual([other.headers.get('deprecation'), other.headers.get('sunset')], [null, null])
})

test('every reference in the OpenAPI document has a component, and every component is referenced', async () => {
  const document = await readDocument()
  const references = new Set(referencesOf(document))
  const { schemas, headers } = document.components
  const components = Object.keys(schemas)
  assert.deepEqual(
    [...references].toSorted(),
    [
      ...components.map((name) => `#/components/schemas/${name}`),
      ...Object.keys(headers).map((name) => `#/components/headers/${name}`),
    ].toSorted(),
  )
  for (const name of ['Error', 'Token', 'Thing']) assert.ok(components.includes(name), name)
})

test('components of the OpenAPI document have simple names and are valid JSON Schema', async () => {
  const { components } = await readDocument()
  for (const [name, schema] of Object.entries(components.schemas)) {
    assert.match(name, /^[A-Z][A-Za-z]*$/)
    assert.doesNotMatch(name, /(?:Input|Output)$/)
    assert.ok('type' in schema || 'anyOf' in schema || 'enum' in schema, name)
    const text = JSON.stringify(schema)
    assert.doesNotMatch(text, /"\$defs"|"\$schema"|"~standard"|"#\/\$defs/, name)
  }
})

function referencesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' ? [String(inner)] : referencesOf(inner),
  )
}
