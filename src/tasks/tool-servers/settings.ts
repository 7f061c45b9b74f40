import { z } from 'zod'
import { OperatorError } from '../../errors.ts'
import { readYamlFile } from '../../lib/yaml-file.ts'

const NAME = /^[a-z][a-z0-9-]{0,31}$/
const MAX_SERVERS = 50
/** Shorter values are switches and the like, which may stand anywhere. */
const MIN_SECRET = 6

const value = z.string().max(8_192)
/** Tools that may be used whatever they do; without it those that the server says only read. */
const tools = z.array(z.string().min(1).max(128)).max(100).optional()
const overHttp = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'Must be an http or https address' })
    .refine((url) => new URL(url).username === '', 'Must not hold a password; use headers'),
  headers: z.record(z.string().regex(/^[\w-]+$/, 'Not the name of a header'), value).default({}),
  tools,
})
const overStdio = z.strictObject({
  command: z.string().min(1).max(4_096),
  args: z.array(value).max(100).default([]),
  env: z.record(z.string().regex(/^\w+$/, 'Not the name of a variable'), value).default({}),
  tools,
})
const servers = z
  .record(
    z.string().regex(NAME, 'A name has small letters, digits and dashes'),
    z.union([overHttp, overStdio], { error: 'Must have a url, or a command' }),
  )
  .refine((all) => Object.keys(all).length <= MAX_SERVERS, `At most ${MAX_SERVERS} servers`)

export type HttpServer = z.output<typeof overHttp>
export type StdioServer = z.output<typeof overStdio>
export type ToolServer = HttpServer | StdioServer

/** MCP servers by name, as the operator lists them. Only prompts that name one get its tools. */
export type ToolServers = ReadonlyMap<string, ToolServer>

/** Undefined: there are none. */
export function readToolServers(file: string | undefined): ToolServers {
  if (file === undefined) return new Map()
  const read = readYamlFile(file, servers)
  if (typeof read !== 'string') return new Map(Object.entries(read))
  throw new OperatorError(`The MCP servers in ${file} cannot be read: ${read}`, 'See docs/tasks.md')
}

/** What nobody may come to see: a header's value also without the word before it. */
export function secretsOf(server: ToolServer): string[] {
  const values = Object.values('url' in server ? server.headers : server.env)
  const query = 'url' in server ? new URL(server.url).search.slice(1) : ''
  return [...values.flatMap((text) => [text, text.split(' ').at(-1) ?? '']), query].filter(
    (text) => text.length >= MIN_SECRET,
  )
}
