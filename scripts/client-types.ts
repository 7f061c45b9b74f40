// Generates the operations and types of the client, and of the console's client, from the OpenAPI documents of the
// routes. Prints the files, or writes them with --write.
import { isDeepStrictEqual } from 'node:util'
import {
  responseSchemaOf,
  groupOperations,
  isBinary,
  isEmpty,
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
import { printOrWriteFiles, readOpenApiDocuments } from './openapi-document.ts'
import { declareField, declareType, type Schema } from './typescript-declarations.ts'

/** Declared by hand, because OpenAPI cannot describe it as precisely. */
const HANDWRITTEN_TYPE = 'Event'
const FILE_HEADER =
  '// Generated from the OpenAPI document by scripts/client-types.ts --write; change the routes, not this file.'

/** Contents of the generated client files, by file name. */
export function generateClientFiles(document: OpenApiDocument): Record<string, string> {
  const rows = listOperations(document)
  return {
    'client/operations.js': [FILE_HEADER, '', ...renderOperations(rows), ''].join('\n'),
    'client/api.d.ts': renderDeclarations(rows, document.components.schemas),
  }
}

/** The console's client. Operations that programs can call, too, have the types of the client for programs. */
export function generateConsoleFiles(
  document: OpenApiDocument,
  api: OpenApiDocument,
): Record<string, string> {
  const apiRows = new Map(listOperations(api).map((row) => [row.operationId, row]))
  /** The console may send other fields than programs. */
  const isShared = (row: ClientOperation) => {
    const same = apiRows.get(row.operationId)
    return same !== undefined && isDeepStrictEqual(namedSchemasOf(row), namedSchemasOf(same))
  }
  // Browsers open the other addresses themselves.
  const rows = listOperations(document).filter((row) => isCalledByScripts(row))
  const own = rows.filter((row) => !isShared(row))
  const groups = groupOperations(rows).map(([group, members]) => {
    const shared = new Set(members.filter(isShared).map(({ name }) => name))
    const others = [...apiRows.values()].filter(
      (row) => row.group === group && !shared.has(row.name),
    )
    const methods = members.filter((row) => !isShared(row)).map(declareMethod)
    const omitted = others.map(({ name }) => `'${name}'`).join(' | ')
    const client = `Client['${group}']`
    const types = [
      ...(shared.size === 0 ? [] : [omitted === '' ? client : `Omit<${client}, ${omitted}>`]),
      ...(methods.length === 0 ? [] : [['{', ...methods, '  }'].join('\n')]),
    ]
    return `  ${group}: ${types.join(' & ')}`
  })
  const text = [
    ...own.flatMap((row) => namedSchemasOf(row)).flatMap((one) => [declareNamed(...one), '']),
    '/** Every operation of the console. */',
    'export interface ConsoleApi {',
    ...groups,
    '}',
    '',
  ].join('\n')
  const types = text.replaceAll(/\/\*\*.*\*\//g, '')
  const components = Object.entries(document.components.schemas)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(types))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const imported = components
    .map(([name]) => name)
    .filter((name) => Object.hasOwn(api.components.schemas, name))
  const declared = components.filter(([name]) => !imported.includes(name))
  const file = [
    FILE_HEADER,
    `import type { ${['CallOptions', 'Client', ...imported].join(', ')} } from '../../client/index.js'`,
    '',
    ...renderOperations(rows, '} as const'),
    '',
    ...declared.flatMap(([name, schema]) => [declareNamed(name, schema), '']),
    text,
  ]
  return { 'web/api/operations.generated.ts': file.join('\n') }
}

function isCalledByScripts({ responses }: ClientOperation): boolean {
  return Object.keys(responses).some((status) => status.startsWith('2'))
}

function renderOperations(rows: readonly ClientOperation[], end = '}'): string[] {
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
  return ['export const OPERATIONS = {', ...groups, end]
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
  return row.summary === undefined ? declaration : `    /** ${row.summary} */\n${declaration}`
}

function returnType(row: ClientOperation): string {
  if (isStream(row)) {
    return `AsyncGenerator<${STREAM_ITEM_TYPES[row.operationId] ?? 'StreamMessage'}, void, undefined>`
  }
  if (isEmpty(row)) return 'Promise<void>'
  const text = isBinary(row) ? 'Blob' : 'string'
  return `Promise<${responseSchemaOf(row) === undefined ? text : typeName(row, 'Answer')}>`
}

if (process.argv[1] === import.meta.filename) {
  const { api, console } = await readOpenApiDocuments()
  printOrWriteFiles({ ...generateClientFiles(api), ...generateConsoleFiles(console, api) })
}
