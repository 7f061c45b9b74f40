import { z } from 'zod'
import { OperatorError } from '../../errors.ts'
import { readYamlFile } from '../../lib/files/yaml-file.ts'

const SERVER_NAME = /^[a-z][a-z0-9-]{0,31}$/
const MAX_SERVERS = 50
/** Shorter values are switches and the like, which may stand anywhere. */
const MIN_SECRET = 6

const value = z.string().max(8_192)
/** Tools that may be used whatever they do; without it those that the server says only read. */
const tools = z.array(z.string().min(1).max(128)).max(100).optional()
const httpServerSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'Must be an http or https address' })
    .refine((url) => new URL(url).username === '', 'Must not hold a password; use headers'),
  headers: z.record(z.string().regex(/^[\w-]+$/, 'Not the name of a header'), value).default({}),
  tools,
})
const stdioServerSchema = z.strictObject({
  command: z.string().min(1).max(4_096),
  args: z.array(value).max(100).default([]),
  env: z.record(z.string().regex(/^\w+$/, 'Not the name of a variable'), value).default({}),
  tools,
})
const serversSchema = z
  .record(
    z.string().regex(SERVER_NAME, 'A name has small letters, digits and dashes'),
    z.union([httpServerSchema, stdioServerSchema], { error: 'Must have a url, or a command' }),
  )
  .refine((all) => Object.keys(all).length <= MAX_SERVERS, `At most ${MAX_SERVERS} servers`)

export type HttpToolServer = z.output<typeof httpServerSchema>
export type StdioToolServer = z.output<typeof stdioServerSchema>
export type ToolServer = HttpToolServer | StdioToolServer

/** MCP servers by name, as the operator lists them. Only prompts that name one get its tools. */
export type ToolServers = ReadonlyMap<string, ToolServer>

/** Undefined: there are none. */
export function readToolServers(file: string | undefined): ToolServers {
  if (file === undefined) return new Map()
  const read = readYamlFile(file, serversSchema)
  if (typeof read !== 'string') return new Map(Object.entries(read))
  throw new OperatorError(`The MCP servers in ${file} cannot be read: ${read}`, 'See docs/tasks.md')
}

/** What nobody may come to see: a header's value also without the word before it. */
export function listSecrets(server: ToolServer): string[] {
  const values = Object.values('url' in server ? server.headers : server.env)
  const query = 'url' in server ? new URL(server.url).search.slice(1) : ''
  return [...values.flatMap((text) => [text, text.split(' ').at(-1) ?? '']), query].filter(
    (text) => text.length >= MIN_SECRET,
  )
}
