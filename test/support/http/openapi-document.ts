import { strict as assert } from 'node:assert'
import type { HttpClient } from './http-client.ts'

export type JsonSchema = Record<string, unknown> & {
  $ref?: string
  type?: string | string[]
  pattern?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
}
type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
>
export type Parameter = {
  name: string
  in: string
  required: boolean
  description?: string
  schema: JsonSchema
}
export type OpenApiResponse = {
  description: string
  headers?: Record<string, object>
  content?: Content
}
export type Operation = {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  tags?: string[]
  security?: object[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, OpenApiResponse>
}
export type OpenApiDocument = {
  openapi: string
  info: Record<string, unknown>
  tags: Array<{ name: string }>
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, OpenApiResponse>
    headers: Record<string, { description: string; schema: JsonSchema }>
    securitySchemes: object
  }
}

/** The OpenAPI document of a client's service. References to shared responses are replaced by the responses. */
export async function readOpenApiDocument(client: HttpClient): Promise<OpenApiDocument> {
  const { status, body } = await client.get('/openapi.json')
  assert.equal(status, 200)
  const document = body as unknown as OpenApiDocument
  for (const { operation } of listOperations(document)) {
    for (const [code, response] of Object.entries(operation.responses)) {
      const name = /^#\/components\/responses\/(\w+)$/.exec(
        String(Reflect.get(response, '$ref')),
      )?.[1]
      if (name === undefined) continue
      const shared = document.components.responses[name]
      assert.ok(shared, name)
      operation.responses[code] = shared
    }
  }
  return document
}

/** All operations of paths and webhooks. `about` names an operation in messages. */
export function listOperations({ paths, webhooks }: OpenApiDocument) {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      about: `${method} ${path}`,
      method,
      path,
      isWebhook: path in webhooks,
      operation,
    })),
  )
}

export type FoundSchema = { about: string; schema: JsonSchema; isProperty: boolean }

/** Every schema of the document, including those inside others. */
export function listSchemas(document: OpenApiDocument): FoundSchema[] {
  const { schemas, headers } = document.components
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => innerSchemas(name, schema)),
    ...Object.entries(headers).flatMap(([name, { schema }]) => innerSchemas(name, schema, true)),
    ...listOperations(document).flatMap(({ about, operation }) => [
      ...operation.parameters.flatMap(({ name, schema }) =>
        innerSchemas(`${about} ${name}`, schema, true),
      ),
      ...[operation.requestBody, ...Object.values(operation.responses)].flatMap((body) =>
        Object.entries(body?.content ?? {}).flatMap(([type, { schema }]) =>
          innerSchemas(`${about} ${type}`, schema),
        ),
      ),
    ]),
  ]
}

function innerSchemas(about: string, schema: JsonSchema, isProperty = false): FoundSchema[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema
  const inner = [...anyOf, items, additionalProperties].filter(
    (one): one is JsonSchema => typeof one === 'object',
  )
  return [
    { about, schema, isProperty },
    ...Object.entries(properties).flatMap(([name, property]) =>
      innerSchemas(`${about}.${name}`, property, true),
    ),
    ...inner.flatMap((one) => innerSchemas(`${about}[]`, one)),
  ]
}
