import { Client, type Tool } from '@modelcontextprotocol/client'
import { ModelFailure, type ModelTool } from '../../ai/model.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import { wrapInDocumentTags, toSafePromptLine } from '../prompts/document-block.ts'
import type { OpenedPromptTools } from '../running/opened-tools.ts'
import { toModelToolName, parseToolReference, type ToolReference } from './tool-names.ts'
import { toToolResultText } from './tool-result.ts'
import { listToolServerSecrets, type ToolServer, type ToolServers } from './tool-server-settings.ts'
import { createToolServerTransport } from './transport.ts'

type Parts = { servers: ToolServers; log: Log; onRead(path: string): void }

const CONNECT_TIMEOUT_MS = 10_000
const CALL_TIMEOUT_MS = 10_000
const MAX_TOOLS = 64
const MAX_DESCRIPTION_CHARS = 1_000
const MAX_SCHEMA_CHARS = 20_000
const MAX_REASON_CHARS = 200

/** Connects to all servers that a prompt names. Fails if one cannot be reached, because the prompt relies on it. */
export async function connectToolServers(
  parts: Parts,
  names: readonly string[],
  signal: AbortSignal,
): Promise<OpenedPromptTools> {
  await using stack = new AsyncDisposableStack()
  const referencesByServer = Map.groupBy(
    names.map(parseToolReference).filter((reference) => reference !== null),
    ({ server }) => server,
  )
  const usedNames = new Set<string>()
  const tools: ModelTool[] = []
  for (const [server, references] of referencesByServer) {
    const settings = parts.servers.get(server)
    if (settings === undefined) {
      const text = `There is no MCP server ${server}: add it to the file of HANSARD_AI_MCP_FILE`
      throw new ModelFailure(text, false)
    }
    const connection = stack.use(await connectServer(server, settings, parts, signal))
    for (const tool of pickNamedTools(connection.tools, references, server)) {
      const name = toModelToolName(server, tool.name, usedNames)
      usedNames.add(name)
      tools.push(toModelTool(connection, tool, name, parts))
    }
  }
  signal.throwIfAborted()
  const opened = stack.move()
  return { tools, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type ServerConnection = AsyncDisposable & {
  server: string
  client: Client
  /** Aborted when the server has sent more data than the limit allows. */
  tooLarge: AbortSignal
  /** The tools that prompts may use. */
  tools: Tool[]
  /** Redacts secrets and shortens a text to one line for a message. */
  toReason(text: string): string
  /** Replaces the secrets of the server's settings with `[hidden]`. */
  redact(text: string): string
}

async function connectServer(
  server: string,
  settings: ToolServer,
  { log }: Parts,
  signal: AbortSignal,
): Promise<ServerConnection> {
  const secrets = listToolServerSecrets(settings)
  const redact = (text: string) =>
    secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[hidden]'), text)
  const toReason = (text: string) => toSafePromptLine(redact(text)).slice(0, MAX_REASON_CHARS)
  const client = new Client({ name: 'hansard', version: '1' }, { capabilities: {} })
  const tooLarge = new AbortController()
  const transport = createToolServerTransport(settings, () =>
    tooLarge.abort(new Error('The answer is too large')),
  )
  const close = async () => {
    try {
      if ('terminateSession' in transport) await transport.terminateSession()
    } catch (error) {
      log.debug({ server, reason: toReason(errorMessageOf(error)) }, 'failed to end MCP session')
    }
    await client.close()
  }
  const connectSignal = AbortSignal.any([
    signal,
    tooLarge.signal,
    AbortSignal.timeout(CONNECT_TIMEOUT_MS),
  ])
  const options = {
    signal: connectSignal,
    timeout: CONNECT_TIMEOUT_MS,
    maxTotalTimeout: CONNECT_TIMEOUT_MS,
  }
  try {
    await client.connect(transport, options)
    const { tools } = await client.listTools(undefined, options)
    const connection = { server, client, tooLarge: tooLarge.signal, toReason, redact }
    return {
      ...connection,
      tools: filterUsableTools(tools, settings),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    const reason = toReason(errorMessageOf(connectSignal.aborted ? connectSignal.reason : error))
    // The error has no `cause`, because the errors of the MCP library contain the request that was sent.
    throw new ModelFailure(`Cannot connect to the MCP server ${server}: ${reason}`, true)
  }
}

/** The tools that the operator lists or, without a list, those that the server marks as read-only. */
function filterUsableTools(tools: readonly Tool[], { tools: allowedNames }: ToolServer): Tool[] {
  return tools
    .filter((tool) => allowedNames?.includes(tool.name) ?? tool.annotations?.readOnlyHint === true)
    .filter((tool) => JSON.stringify(tool.inputSchema).length <= MAX_SCHEMA_CHARS)
    .slice(0, MAX_TOOLS)
}

function pickNamedTools(
  tools: readonly Tool[],
  references: readonly ToolReference[],
  server: string,
): Tool[] {
  if (references.some(({ tool }) => tool === null)) return [...tools]
  return references.map(({ tool }) => {
    const found = tools.find(({ name }) => name === tool)
    if (found !== undefined) return found
    const text = `The MCP server ${server} has no tool ${toSafePromptLine(tool ?? '')} that this task may use`
    throw new ModelFailure(text, false)
  })
}

function toModelTool(
  connection: ServerConnection,
  tool: Tool,
  name: string,
  { log, onRead }: Parts,
): ModelTool {
  const { server, client, tooLarge, toReason, redact } = connection
  const path = `mcp:${server}/${tool.name}`
  return {
    name,
    description: redact(tool.description ?? tool.title ?? tool.name).slice(
      0,
      MAX_DESCRIPTION_CHARS,
    ),
    input: { json: tool.inputSchema },
    async run(input, signal) {
      const callSignal = AbortSignal.any([signal, tooLarge])
      const options = {
        signal: callSignal,
        timeout: CALL_TIMEOUT_MS,
        maxTotalTimeout: CALL_TIMEOUT_MS,
      }
      try {
        const call = { name: tool.name, arguments: { ...(input as object) } }
        const text = toToolResultText(await client.callTool(call, options))
        onRead(path)
        return wrapInDocumentTags(path, redact(text))
      } catch (error) {
        signal.throwIfAborted()
        const reason = toReason(errorMessageOf(error))
        log.warn({ server, tool: tool.name, reason }, 'failed to call MCP tool')
        return `The tool failed: ${reason}`
      }
    },
  }
}
