import { tmpdir } from 'node:os'
import {
  Client,
  type Tool,
  type CallToolResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ModelFailure, type ModelTool } from '../../ai/model.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import { wrapInDocumentTags, toSafePromptLine } from '../../ai/prompt-text.ts'
import {
  toModelToolName,
  parseToolReference,
  type ToolReference,
  listToolServerSecrets,
  type ToolServer,
  type ToolServers,
  type HttpToolServer,
} from './tool-server-settings.ts'

type Parts = { servers: ToolServers; log: Log; onRead(path: string): void }

const CONNECT_TIMEOUT_MS = 10_000
const CALL_TIMEOUT_MS = 10_000
const MAX_TOOLS = 64
const MAX_DESCRIPTION_CHARS = 1_000
const MAX_SCHEMA_CHARS = 20_000
const MAX_REASON_CHARS = 200

const MAX_RESULT_CHARS = 20_000

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
const CLOSE_TIMEOUT_MS = 2_000

/** Tools for one execution. Disposing closes the connections to their servers. */
export type OpenedPromptTools = AsyncDisposable & { tools: ModelTool[] }

/** Connects to all servers that a prompt names. Fails if one cannot be reached, because the prompt depends on it. */
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

async function connectServer(
  server: string,
  settings: ToolServer,
  { log }: Parts,
  signal: AbortSignal,
) {
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
      /** The tools that prompts may use. */
      tools: filterUsableTools(tools, settings),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    const reason = toReason(errorMessageOf(connectSignal.aborted ? connectSignal.reason : error))
    // The error has no `cause`, because errors of the MCP library contain the request that was sent.
    throw new ModelFailure(`Cannot connect to the MCP server ${server}: ${reason}`, true)
  }
}

type ServerConnection = Awaited<ReturnType<typeof connectServer>>

/** The tools that the operator lists or, without a list, the tools that the server marks as read-only. */
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
    input: { json: JSON.parse(redact(JSON.stringify(tool.inputSchema))) as Tool['inputSchema'] },
    async run(input, signal) {
      const callSignal = AbortSignal.any([signal, tooLarge])
      const options = {
        signal: callSignal,
        timeout: CALL_TIMEOUT_MS,
        maxTotalTimeout: CALL_TIMEOUT_MS,
      }
      try {
        const call = { name: tool.name, arguments: { ...(input as object) } }
        const text = toToolResultText(await client.callTool(call, options), redact)
        onRead(path)
        return wrapInDocumentTags(path, text)
      } catch (error) {
        signal.throwIfAborted()
        const reason = toReason(errorMessageOf(error))
        log.warn({ server, tool: tool.name, reason }, 'failed to call MCP tool')
        return `The tool failed: ${reason}`
      }
    },
  }
}

/** The result of a tool call as text of limited length, without secrets. Images and audio are replaced with a note. */
function toToolResultText(
  { content, structuredContent, isError }: CallToolResult,
  redact: ServerConnection['redact'],
): string {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    if (part.type === 'resource_link') return part.uri
    return `[${part.type} left out]`
  })
  // Before the text is cut, because a part of a secret would stay.
  const fullText = redact(
    parts.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : parts.join('\n'),
  )
  const text = fullText.slice(0, MAX_RESULT_CHARS).toWellFormed()
  const omittedChars = fullText.length - text.length
  return `${isError === true ? 'The tool failed: ' : ''}${text}${omittedChars > 0 ? `\n[${omittedChars} more characters left out]` : ''}`
}

/** Creates the transport to a server: a child process or an HTTP URL. Calls `onTooLarge` at the size limit. */
function createToolServerTransport(
  server: ToolServer,
  onTooLarge: () => void,
): StreamableHTTPClientTransport | StdioClientTransport {
  if ('url' in server) return createHttpTransport(server, onTooLarge)
  const { command, args, env } = server
  return new StdioClientTransport({
    command,
    args,
    // The child process does not inherit the service's environment, which contains API keys.
    env: { ...getDefaultEnvironment(), ...env },
    cwd: tmpdir(),
    stderr: 'ignore',
    maxBufferSize: MAX_RESPONSE_BYTES,
  })
}

function createHttpTransport(
  { url, headers }: HttpToolServer,
  onTooLarge: () => void,
): StreamableHTTPClientTransport {
  // Redirects are refused, because they would send the secret headers to another address.
  const requestInit = { headers, redirect: 'error' } as const
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit,
    fetch: async (address, init) => {
      const isClosing = init?.method === 'DELETE'
      const signal = isClosing ? AbortSignal.timeout(CLOSE_TIMEOUT_MS) : (init?.signal ?? null)
      return limitResponseSize(await fetch(address, { ...init, signal }), onTooLarge)
    },
  })
}

function limitResponseSize(response: Response, onTooLarge: () => void): Response {
  if (response.body === null) return response
  let receivedBytes = 0
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      receivedBytes += chunk.byteLength
      if (receivedBytes <= MAX_RESPONSE_BYTES) return controller.enqueue(chunk)
      controller.error(new Error('The answer is too large'))
      onTooLarge()
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(limiter), { status, statusText, headers })
}
