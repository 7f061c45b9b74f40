// The operations of the client and their types, from the OpenAPI document that a service makes of its routes.
// With --write it starts one in a temporary folder and writes both files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { ROOT } from '../src/load-config.ts'
import { createLog } from '../src/log.ts'
import { openService } from '../src/service.ts'
import {
  answerOf,
  groupsOf,
  isBinary,
  isStream,
  mediaTypeOf,
  rowsOf,
  STREAMS,
  takesKey,
  type Document,
  type Row,
} from './client-operations.ts'
import { declareField, declareType, type Schema } from './declarations.ts'

/** Declared by hand, more closely than the document can. */
const BY_HAND = 'Event'
const HEAD =
  '// Made from the OpenAPI document by scripts/client-types.ts --write: change the routes.'

/** The files of the client that follow the interface: their text by their name. */
export function describeClient(document: Document): Record<string, string> {
  const rows = rowsOf(document)
  return {
    'client/operations.js': writeTable(rows),
    'client/api.d.ts': writeDeclarations(rows, document.components.schemas),
  }
}

function writeTable(rows: readonly Row[]): string {
  const groups = groupsOf(rows).map(([group, members]) =>
    [
      `  ${group}: {`,
      ...members.map((row) => {
        const facts = [
          `method: '${row.method}'`,
          `path: '${row.path}'`,
          ...(row.requestBody === undefined ? [] : [`sends: '${mediaTypeOf(row.requestBody)}'`]),
          ...(row.parameters.some((one) => one.in === 'query') ? ['hasQuery: true'] : []),
          ...(takesKey(row) ? ['takesKey: true'] : []),
          ...(isStream(row)
            ? [`streams: '${STREAMS[row.operationId] ? 'data' : 'messages'}'`]
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
  return [HEAD, '', 'export const OPERATIONS = {', ...groups, '}', ''].join('\n')
}

function writeDeclarations(rows: readonly Row[], schemas: Record<string, Schema>): string {
  const components = Object.entries(schemas)
    .filter(([name]) => name !== BY_HAND)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => declareNamed(name === 'Error' ? 'ErrorBody' : name, schema))
  const parts = rows.flatMap((row) =>
    partsOf(row).map(([name, schema]) => declareNamed(name, schema)),
  )
  const groups = groupsOf(rows).map(([group, members]) =>
    [`  ${group}: {`, ...members.map(declareMethod), '  }'].join('\n'),
  )
  return [
    HEAD,
    'import type {',
    '  CallOptions,',
    '  ListenedCallback,',
    '  MeetingEvent,',
    '  StreamMessage,',
    '  StreamOptions,',
    "} from './index.js'",
    '',
    ...[...components, ...parts].flatMap((text) => [text, '']),
    '/** Every operation of the interface. */',
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

/** The query, body and answer of an operation, each with a name of its own. */
function partsOf(row: Row): Array<[string, Schema]> {
  const query = row.parameters.filter((one) => one.in === 'query')
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  )
  const required = query.filter((one) => one.required).map(({ name }) => name)
  const body = row.requestBody?.content[mediaTypeOf(row.requestBody)]?.schema
  const answer = answerOf(row)
  return [
    ...(query.length === 0
      ? []
      : [[typeName(row, 'Query'), { type: 'object', properties, required }] as [string, Schema]]),
    ...(body === undefined ? [] : [[typeName(row, 'Body'), body] as [string, Schema]]),
    ...(answer === undefined ? [] : [[typeName(row, 'Answer'), answer] as [string, Schema]]),
  ]
}

function declareMethod(row: Row): string {
  const query = row.parameters.filter((one) => one.in === 'query')
  const isNeeded = query.some((one) => one.required)
  const args = [
    ...row.parameters
      .filter((one) => one.in === 'path')
      .map(({ name, schema }) => declareField(name, schema, true, '')),
    ...(row.requestBody === undefined
      ? []
      : [`body${row.requestBody.required ? '' : '?'}: ${typeName(row, 'Body')}`]),
    ...(query.length === 0 ? [] : [`query${isNeeded ? '' : '?'}: ${typeName(row, 'Query')}`]),
    `options?: ${isStream(row) ? 'StreamOptions' : 'CallOptions'}`,
  ]
  const line = `    ${row.name}(${args.join(', ')}): ${returnType(row)}`
  const shown =
    line.length <= 100
      ? line
      : [
          `    ${row.name}(`,
          ...args.map((arg) => `      ${arg},`),
          `    ): ${returnType(row)}`,
        ].join('\n')
  return `    /** ${row.summary} */\n${shown}`
}

function returnType(row: Row): string {
  if (isStream(row)) {
    return `AsyncGenerator<${STREAMS[row.operationId] ?? 'StreamMessage'}, void, undefined>`
  }
  const text = isBinary(row) ? 'Blob' : 'string'
  return `Promise<${answerOf(row) === undefined ? text : typeName(row, 'Answer')}>`
}

function typeName({ group, name }: Row, part: string): string {
  return [group, name, part].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

async function readDocument(): Promise<Document> {
  const data = mkdtempSync(join(tmpdir(), 'hansard-client-'))
  try {
    const env = { HANSARD_DATA: data, HANSARD_PORT: '0' }
    await using service = await openService(readConfig({ env, root: ROOT }), createLog('error'))
    return service.openapi() as Document
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const files = Object.entries(describeClient(await readDocument()))
  for (const [name, text] of files) {
    if (process.argv.includes('--write')) writeFileSync(join(ROOT, name), text)
    else process.stdout.write(text)
  }
}
