import { Client, type Tool } from '@modelcontextprotocol/client'
import { ModelFailure, type ModelTool } from '../../ai/model.ts'
import { messageOf } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import { fenced, inlineText } from '../prompts/data.ts'
import type { OpenTools } from '../open-tools.ts'
import { nameForModel, readToolName, type NamedTools } from './names.ts'
import { resultText } from './result.ts'
import { secretsOf, type ToolServer, type ToolServers } from './settings.ts'
import { transportTo } from './transport.ts'

type Parts = { servers: ToolServers; log: Log; onRead(path: string): void }

const CONNECT_MS = 10_000
const CALL_MS = 10_000
const MAX_TOOLS = 64
const MAX_DESCRIPTION = 1_000
const MAX_SCHEMA = 20_000
const MAX_REASON = 200

/** Connects to the servers that a prompt names. One that is not there fails the whole: the prompt relies on it. */
export async function openToolServers(
  parts: Parts,
  names: readonly string[],
  signal: AbortSignal,
): Promise<OpenTools> {
  await using stack = new AsyncDisposableStack()
  const named = Map.groupBy(
    names.map(readToolName).filter((name) => name !== null),
    ({ server }) => server,
  )
  const taken = new Set<string>()
  const tools: ModelTool[] = []
  for (const [server, wanted] of named) {
    const settings = parts.servers.get(server)
    if (settings === undefined) {
      const text = `There is no MCP server ${server}: HANSARD_AI_MCP_FILE lists them`
      throw new ModelFailure(text, false)
    }
    const link = stack.use(await connect(server, settings, parts, signal))
    for (const tool of pick(link.tools, wanted, server)) {
      const name = nameForModel(server, tool.name, taken)
      taken.add(name)
      tools.push(toModelTool(link, tool, name, parts))
    }
  }
  signal.throwIfAborted()
  const opened = stack.move()
  return { tools, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type Link = AsyncDisposable & {
  server: string
  client: Client
  /** It has sent more than anybody can use. */
  tooMuch: AbortSignal
  /** Those that may be used. */
  tools: Tool[]
  /** One line of a text, without our secrets. */
  clean(text: string): string
  hide(text: string): string
}

async function connect(
  server: string,
  settings: ToolServer,
  { log }: Parts,
  signal: AbortSignal,
): Promise<Link> {
  const secrets = secretsOf(settings)
  const hide = (text: string) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
  const clean = (text: string) => inlineText(hide(text)).slice(0, MAX_REASON)
  const client = new Client({ name: 'hansard', version: '1' }, { capabilities: {} })
  const tooMuch = new AbortController()
  const transport = transportTo(settings, () => tooMuch.abort(new Error('The answer is too large')))
  const close = async () => {
    try {
      if ('terminateSession' in transport) await transport.terminateSession()
    } catch (error) {
      log.debug({ server, reason: clean(messageOf(error)) }, 'session of an MCP server not ended')
    }
    await client.close()
  }
  const limited = AbortSignal.any([signal, tooMuch.signal, AbortSignal.timeout(CONNECT_MS)])
  const options = { signal: limited, timeout: CONNECT_MS, maxTotalTimeout: CONNECT_MS }
  try {
    await client.connect(transport, options)
    const { tools } = await client.listTools(undefined, options)
    const link = { server, client, tooMuch: tooMuch.signal, clean, hide }
    return { ...link, tools: usable(tools, settings), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    const reason = clean(messageOf(limited.aborted ? limited.reason : error))
    // Only the text goes on: the library's errors carry what was sent.
    throw new ModelFailure(`The MCP server ${server} does not answer: ${reason}`, true)
  }
}

/** What the operator lists, or else what the server says only reads. */
function usable(tools: readonly Tool[], { tools: listed }: ToolServer): Tool[] {
  return tools
    .filter((tool) => listed?.includes(tool.name) ?? tool.annotations?.readOnlyHint === true)
    .filter((tool) => JSON.stringify(tool.inputSchema).length <= MAX_SCHEMA)
    .slice(0, MAX_TOOLS)
}

function pick(tools: readonly Tool[], wanted: readonly NamedTools[], server: string): Tool[] {
  if (wanted.some(({ tool }) => tool === null)) return [...tools]
  return wanted.map(({ tool }) => {
    const found = tools.find(({ name }) => name === tool)
    if (found !== undefined) return found
    const text = `The MCP server ${server} has no tool ${inlineText(tool ?? '')} that may be used`
    throw new ModelFailure(text, false)
  })
}

function toModelTool(link: Link, tool: Tool, name: string, { log, onRead }: Parts): ModelTool {
  const { server, client, tooMuch, clean, hide } = link
  const path = `mcp:${server}/${tool.name}`
  return {
    name,
    description: hide(tool.description ?? tool.title ?? tool.name).slice(0, MAX_DESCRIPTION),
    input: { json: tool.inputSchema },
    async run(input, signal) {
      const both = AbortSignal.any([signal, tooMuch])
      const options = { signal: both, timeout: CALL_MS, maxTotalTimeout: CALL_MS }
      try {
        const given = { name: tool.name, arguments: { ...(input as object) } }
        const text = resultText(await client.callTool(given, options))
        onRead(path)
        return fenced(path, hide(text))
      } catch (error) {
        signal.throwIfAborted()
        const reason = clean(messageOf(error))
        log.warn({ server, tool: tool.name, reason }, 'tool of an MCP server failed')
        return `The tool failed: ${reason}`
      }
    },
  }
}
