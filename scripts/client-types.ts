// Generates the client's operations and types from the OpenAPI document of a service, which it starts in a temporary
// folder. Prints both files, or writes them with --write.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import { createLog } from '../src/log.ts'
import { openService } from '../src/app/service.ts'
import {
  responseSchemaOf,
  groupOperations,
  isBinary,
  isStream,
  requestMediaType,
  listOperations,
  STREAM_ITEM_TYPES,
  takesIdempotencyKey,
  type OpenApiDocument,
  type ClientOperation,
} from './client-operations.ts'
import { declareField, declareType, type Schema } from './typescript-declarations.ts'

/** Declared by hand, because OpenAPI cannot describe it as precisely. */
const HANDWRITTEN_TYPE = 'Event'
const FILE_HEADER =
  '// Generated from the OpenAPI document by scripts/client-types.ts --write; change the routes, not this file.'

/** Contents of the generated client files, by file name. */
export function generateClientFiles(document: OpenApiDocument): Record<string, string> {
  const rows = listOperations(document)
  return {
    'client/operations.js': renderOperations(rows),
    'client/api.d.ts': renderDeclarations(rows, document.components.schemas),
  }
}

function renderOperations(rows: readonly ClientOperation[]): string {
  const groups = groupOperations(rows).map(([group, members]) =>
    [
      `  ${group}: {`,
      ...members.map((row) => {
        const facts = [
          `method: '${row.method}'`,
          `path: '${row.path}'`,
          ...(row.requestBody === undefined
            ? []
            : [`sends: '${requestMediaType(row.requestBody)}'`]),
          ...(row.parameters.some((one) => one.in === 'query') ? ['hasQuery: true'] : []),
          ...(takesIdempotencyKey(row) ? ['takesKey: true'] : []),
          ...(isStream(row)
            ? [`streams: '${STREAM_ITEM_TYPES[row.operationId] ? 'data' : 'messages'}'`]
            : []),
          ...(isBinary(row) ? ['isBinary: true'] : []),
        ]
        const line = `    ${row.name}: { ${facts.join(', ')} },`
        return line.length <= 100
          ? line
          : [`    ${row.name}: {`, ...facts.map((fact) => `      ${fact},`), '    },'].join('\n')
      }),
      '  },',
    ].join('\n'),
  )
  return [FILE_HEADER, '', 'export const OPERATIONS = {', ...groups, '}', ''].join('\n')
}

function renderDeclarations(
  rows: readonly ClientOperation[],
  schemas: Record<string, Schema>,
): string {
  const components = Object.entries(schemas)
    .filter(([name]) => name !== HANDWRITTEN_TYPE)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => declareNamed(name === 'Error' ? 'ErrorBody' : name, schema))
  const parts = rows.flatMap((row) =>
    namedSchemasOf(row).map(([name, schema]) => declareNamed(name, schema)),
  )
  const groups = groupOperations(rows).map(([group, members]) =>
    [`  ${group}: {`, ...members.map(declareMethod), '  }'].join('\n'),
  )
  return [
    FILE_HEADER,
    'import type {',
    '  CallOptions,',
    '  ListenedCallback,',
    '  MeetingEvent,',
    '  StreamMessage,',
    '  StreamOptions,',
    "} from './index.js'",
    '',
    ...[...components, ...parts].flatMap((text) => [text, '']),
    '/** Every operation of the HTTP API. */',
    'export interface Api {',
    ...groups,
    '}',
    '',
  ].join('\n')
}

function declareNamed(name: string, schema: Schema): string {
  const text = declareType(schema).replaceAll(/\bEvent\[\]/g, 'MeetingEvent[]')
  return text.startsWith('{') ? `export interface ${name} ${text}` : `export type ${name} = ${text}`
}

/** The query, body and response schemas of an operation with the names of their types. */
function namedSchemasOf(row: ClientOperation): Array<[string, Schema]> {
  const query = row.parameters.filter((one) => one.in === 'query')
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  )
  const required = query.filter((one) => one.required).map(({ name }) => name)
  const body = row.requestBody?.content[requestMediaType(row.requestBody)]?.schema
  const answer = responseSchemaOf(row)
  return [
    ...(query.length === 0
      ? []
      : [[typeName(row, 'Query'), { type: 'object', properties, required }] as [string, Schema]]),
    ...(body === undefined ? [] : [[typeName(row, 'Body'), body] as [string, Schema]]),
    ...(answer === undefined ? [] : [[typeName(row, 'Answer'), answer] as [string, Schema]]),
  ]
}

function declareMethod(row: ClientOperation): string {
  const query = row.parameters.filter((one) => one.in === 'query')
  const isQueryRequired = query.some((one) => one.required)
  const args = [
    ...row.parameters
      .filter((one) => one.in === 'path')
      .map(({ name, schema }) => declareField(name, schema, true, '')),
    ...(row.requestBody === undefined
      ? []
      : [`body${row.requestBody.required ? '' : '?'}: ${typeName(row, 'Body')}`]),
    ...(query.length === 0
      ? []
      : [`query${isQueryRequired ? '' : '?'}: ${typeName(row, 'Query')}`]),
    `options?: ${isStream(row) ? 'StreamOptions' : 'CallOptions'}`,
  ]
  const line = `    ${row.name}(${args.join(', ')}): ${returnType(row)}`
  const declaration =
    line.length <= 100
      ? line
      : [
          `    ${row.name}(`,
          ...args.map((arg) => `      ${arg},`),
          `    ): ${returnType(row)}`,
        ].join('\n')
  return `    /** ${row.summary} */\n${declaration}`
}

function returnType(row: ClientOperation): string {
  if (isStream(row)) {
    return `AsyncGenerator<${STREAM_ITEM_TYPES[row.operationId] ?? 'StreamMessage'}, void, undefined>`
  }
  const text = isBinary(row) ? 'Blob' : 'string'
  return `Promise<${responseSchemaOf(row) === undefined ? text : typeName(row, 'Answer')}>`
}

function typeName({ group, name }: ClientOperation, part: string): string {
  return [group, name, part].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

async function readOpenApiDocument(): Promise<OpenApiDocument> {
  const data = mkdtempSync(join(tmpdir(), 'hansard-client-'))
  try {
    const env = { HANSARD_DATA: data, HANSARD_PORT: '0' }
    await using service = await openService(
      parseConfig({ env, root: INSTALLATION_FOLDER }),
      createLog('error'),
    )
    return service.openapi() as OpenApiDocument
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const files = Object.entries(generateClientFiles(await readOpenApiDocument()))
  for (const [name, text] of files) {
    if (process.argv.includes('--write')) writeFileSync(join(INSTALLATION_FOLDER, name), text)
    else process.stdout.write(text)
  }
}
