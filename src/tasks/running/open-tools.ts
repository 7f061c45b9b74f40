import type { ModelTool } from '../../ai/model.ts'
import type { Log } from '../../log.ts'
import { parseToolReference } from '../tool-servers/tool-names.ts'
import type { ToolServers } from '../tool-servers/tool-server-settings.ts'
import { createDocumentTools, type DocumentToolContext } from './document-tools.ts'

export type OpenedTools = AsyncDisposable & { tools: ModelTool[] }

/** All tools that a prompt names: our own, which read its projects, and those of the servers it names. */
export async function openTools(
  { servers, log }: { servers: ToolServers; log: Log },
  names: readonly string[],
  scope: DocumentToolContext,
  signal: AbortSignal,
): Promise<OpenedTools> {
  const own = createDocumentTools(names, scope)
  if (names.every((name) => parseToolReference(name) === null)) {
    return { tools: own, [Symbol.asyncDispose]: async () => undefined }
  }
  // Loaded when it is first used: most instances have no such server.
  const { connectToolServers } = await import('../tool-servers/connect-tool-servers.ts')
  const foreign = await connectToolServers(
    { servers, log, onRead: scope.onDocumentRead },
    names,
    signal,
  )
  return {
    tools: [...own, ...foreign.tools],
    [Symbol.asyncDispose]: () => foreign[Symbol.asyncDispose](),
  }
}
