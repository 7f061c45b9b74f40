import { z } from 'zod'
import { OperatorError } from '../../lib/operator-error.ts'
import { readYamlFileOrProblem } from '../../lib/files/yaml-file.ts'

const SERVER_NAME = /^[a-z][a-z0-9-]{0,31}$/
const MAX_SERVERS = 50
/** Shorter values, such as `1` or `true`, are not treated as secrets, because any text may contain them. */
const MIN_SECRET_LENGTH = 6
/** Shorter parts of a path are words, such as `servers`. */
const MIN_SECRET_PATH_LENGTH = 16

/** A tool in a prompt: `mcp:wiki` for all tools of a server, `mcp:wiki:search` for one tool. */
const TOOL_REFERENCE = /^mcp:([^:]*)(?::(.*))?$/

/** `tool` is null if the prompt names all tools of the server. */
export type ToolReference = { server: string; tool: string | null }

/** The longest tool name that model providers accept. */
const MAX_LENGTH = 64

const value = z.string().max(8_192)
/** Tools that prompts may use. Without a list, the tools that the server marks as read-only. */
const tools = z.array(z.string().min(1).max(128)).max(100).optional()
const httpServerSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'Must be an http or https URL' })
    .refine((url) => new URL(url).username === '', 'Must not contain a password; use headers'),
  headers: z.record(z.string().regex(/^[\w-]+$/, 'Not a valid header name'), value).default({}),
  tools,
})
const stdioServerSchema = z.strictObject({
  command: z.string().min(1).max(4_096),
  args: z.array(value).max(100).default([]),
  env: z.record(z.string().regex(/^\w+$/, 'Not a valid variable name'), value).default({}),
  tools,
})
const serversSchema = z
  .record(
    z.string().regex(SERVER_NAME, 'Must consist of lower-case letters, digits and dashes'),
    z.union([httpServerSchema, stdioServerSchema], { error: 'Must have a url or a command' }),
  )
  .refine((all) => Object.keys(all).length <= MAX_SERVERS, `At most ${MAX_SERVERS} servers`)

export type HttpToolServer = z.output<typeof httpServerSchema>
export type StdioToolServer = z.output<typeof stdioServerSchema>
export type ToolServer = HttpToolServer | StdioToolServer

/** The operator's MCP servers, by name. Only prompts that name a server get its tools. */
export type ToolServers = ReadonlyMap<string, ToolServer>

/** Reads the file in HANSARD_AI_MCP_FILE. If it is not set, there are no servers. */
export function readToolServers(file: string | undefined): ToolServers {
  if (file === undefined) return new Map()
  const serversOrProblem = readYamlFileOrProblem(file, serversSchema)
  if (typeof serversOrProblem !== 'string') return new Map(Object.entries(serversOrProblem))
  throw new OperatorError(
    `The MCP servers in ${file} cannot be read: ${serversOrProblem}`,
    'Check HANSARD_AI_MCP_FILE; see docs/tasks.md#tools-of-mcp-servers',
  )
}

/** The secrets in a tool server's settings, to be redacted, the longest first. For `Bearer abc`, both the whole value and `abc`. */
export function listToolServerSecrets(server: ToolServer): string[] {
  const values = Object.values('url' in server ? server.headers : server.env)
  const secrets = values.flatMap((text) => [text, text.split(' ').at(-1) ?? ''])
  if ('url' in server) {
    const { pathname, search, searchParams } = new URL(server.url)
    const parts = pathname.split('/').filter((part) => part.length >= MIN_SECRET_PATH_LENGTH)
    secrets.push(search.slice(1), ...searchParams.values(), ...parts)
  }
  return [...new Set(secrets)]
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length)
}

/** Parses a tool name from a prompt. Null if it does not refer to an MCP server. */
export function parseToolReference(name: string): ToolReference | null {
  const [, server, tool] = TOOL_REFERENCE.exec(name) ?? []
  return server === undefined ? null : { server, tool: tool ?? null }
}

/** Converts the name of an MCP tool to an unused name that model providers accept. */
export function toModelToolName(
  server: string,
  tool: string,
  usedNames: ReadonlySet<string>,
): string {
  const baseName = `${server}_${tool}`.replace(/[^\w-]/g, '_').slice(0, MAX_LENGTH)
  let name = baseName
  for (let i = 2; usedNames.has(name); i += 1) name = `${baseName.slice(0, MAX_LENGTH - 4)}_${i}`
  return name
}
