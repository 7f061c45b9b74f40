import type { Log } from '../../log.ts'
import { parseToolReference } from '../tool-servers/tool-names.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { createDocumentReadingTools, type DocumentReadingToolContext } from './document-tools.ts'
import type { OpenedPromptTools } from './opened-tools.ts'

/** Opens all tools that a prompt names: the built-in document tools and the tools of MCP servers. */
export async function openPromptTools(
  { servers, log }: { servers: ToolServers; log: Log },
  names: readonly string[],
  context: DocumentReadingToolContext,
  signal: AbortSignal,
): Promise<OpenedPromptTools> {
  const documentTools = createDocumentReadingTools(names, context)
  if (names.every((name) => parseToolReference(name) === null)) {
    return { tools: documentTools, [Symbol.asyncDispose]: async () => undefined }
  }
  // The MCP client is imported on first use, because most instances have no MCP server.
  const { connectToolServers } = await import('../tool-servers/connect-tool-servers.ts')
  const serverTools = await connectToolServers(
    { servers, log, onRead: context.onDocumentRead },
    names,
    signal,
  )
  return {
    tools: [...documentTools, ...serverTools.tools],
    [Symbol.asyncDispose]: () => serverTools[Symbol.asyncDispose](),
  }
}
