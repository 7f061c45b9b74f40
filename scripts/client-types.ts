// Generates the client's operations and types from the OpenAPI document. Prints both files, or writes them with --write.
import {
  responseSchemaOf,
  groupOperations,
  isBinary,
  isStream,
  namedSchemasOf,
  requestMediaType,
  listOperations,
  STREAM_ITEM_TYPES,
  takesIdempotencyKey,
  typeName,
  type OpenApiDocument,
  type ClientOperation,
} from './client-operations.ts'
import { printOrWriteFiles, readOpenApiDocument } from './openapi-document.ts'
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

if (process.argv[1] === import.meta.filename) {
  printOrWriteFiles(generateClientFiles(await readOpenApiDocument()))
}
