import { Client, type Tool } from '@modelcontextprotocol/client'
import { ModelFailure, type ModelTool } from '../../ai/model.ts'
import { messageOf } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import { toDocumentBlock, toInlineText } from '../prompts/document-block.ts'
import type { OpenedTools } from '../running/open-tools.ts'
import { toModelToolName, parseToolReference, type ToolReference } from './tool-names.ts'
import { toResultText } from './tool-result.ts'
import { listSecrets, type ToolServer, type ToolServers } from './tool-server-settings.ts'
import { createToolServerTransport } from './transport.ts'

type Parts = { servers: ToolServers; log: Log; onRead(path: string): void }

const CONNECT_TIMEOUT_MS = 10_000
const CALL_TIMEOUT_MS = 10_000
const MAX_TOOLS = 64
const MAX_DESCRIPTION = 1_000
const MAX_SCHEMA = 20_000
const MAX_REASON = 200

/** Connects to the servers that a prompt names. One that is not there fails the whole: the prompt relies on it. */
export async function connectToolServers(
  parts: Parts,
  names: readonly string[],
  signal: AbortSignal,
): Promise<OpenedTools> {
  await using stack = new AsyncDisposableStack()
  const named = Map.groupBy(
    names.map(parseToolReference).filter((name) => name !== null),
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
    const link = stack.use(await connectServer(server, settings, parts, signal))
    for (const tool of pickNamedTools(link.tools, wanted, server)) {
      const name = toModelToolName(server, tool.name, taken)
      taken.add(name)
      tools.push(toModelTool(link, tool, name, parts))
    }
  }
  signal.throwIfAborted()
  const opened = stack.move()
  return { tools, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type ServerConnection = AsyncDisposable & {
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

async function connectServer(
  server: string,
  settings: ToolServer,
  { log }: Parts,
  signal: AbortSignal,
): Promise<ServerConnection> {
  const secrets = listSecrets(settings)
  const hide = (text: string) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
  const clean = (text: string) => toInlineText(hide(text)).slice(0, MAX_REASON)
  const client = new Client({ name: 'hansard', version: '1' }, { capabilities: {} })
  const tooMuch = new AbortController()
  const transport = createToolServerTransport(settings, () =>
    tooMuch.abort(new Error('The answer is too large')),
  )
  const close = async () => {
    try {
      if ('terminateSession' in transport) await transport.terminateSession()
    } catch (error) {
      log.debug({ server, reason: clean(messageOf(error)) }, 'session of an MCP server not ended')
    }
    await client.close()
  }
  const limited = AbortSignal.any([signal, tooMuch.signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)])
  const options = {
    signal: limited,
    timeout: CONNECT_TIMEOUT_MS,
    maxTotalTimeout: CONNECT_TIMEOUT_MS,
  }
  try {
    await client.connect(transport, options)
    const { tools } = await client.listTools(undefined, options)
    const link = { server, client, tooMuch: tooMuch.signal, clean, hide }
    return { ...link, tools: filterUsableTools(tools, settings), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    const reason = clean(messageOf(limited.aborted ? limited.reason : error))
    // Only the text goes on: the library's errors carry what was sent.
    throw new ModelFailure(`The MCP server ${server} does not answer: ${reason}`, true)
  }
}

/** What the operator lists, or else what the server says only reads. */
function filterUsableTools(tools: readonly Tool[], { tools: listed }: ToolServer): Tool[] {
  return tools
    .filter((tool) => listed?.includes(tool.name) ?? tool.annotations?.readOnlyHint === true)
    .filter((tool) => JSON.stringify(tool.inputSchema).length <= MAX_SCHEMA)
    .slice(0, MAX_TOOLS)
}

function pickNamedTools(
  tools: readonly Tool[],
  wanted: readonly ToolReference[],
  server: string,
): Tool[] {
  if (wanted.some(({ tool }) => tool === null)) return [...tools]
  return wanted.map(({ tool }) => {
    const found = tools.find(({ name }) => name === tool)
    if (found !== undefined) return found
    const text = `The MCP server ${server} has no tool ${toInlineText(tool ?? '')} that may be used`
    throw new ModelFailure(text, false)
  })
}

function toModelTool(
  link: ServerConnection,
  tool: Tool,
  name: string,
  { log, onRead }: Parts,
): ModelTool {
  const { server, client, tooMuch, clean, hide } = link
  const path = `mcp:${server}/${tool.name}`
  return {
    name,
    description: hide(tool.description ?? tool.title ?? tool.name).slice(0, MAX_DESCRIPTION),
    input: { json: tool.inputSchema },
    async run(input, signal) {
      const both = AbortSignal.any([signal, tooMuch])
      const options = { signal: both, timeout: CALL_TIMEOUT_MS, maxTotalTimeout: CALL_TIMEOUT_MS }
      try {
        const given = { name: tool.name, arguments: { ...(input as object) } }
        const text = toResultText(await client.callTool(given, options))
        onRead(path)
        return toDocumentBlock(path, hide(text))
      } catch (error) {
        signal.throwIfAborted()
        const reason = clean(messageOf(error))
        log.warn({ server, tool: tool.name, reason }, 'tool of an MCP server failed')
        return `The tool failed: ${reason}`
      }
    },
  }
}
