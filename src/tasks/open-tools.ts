import type { ModelTool } from '../ai/model.ts'
import type { Log } from '../log.ts'
import { readToolName } from './tool-servers/names.ts'
import type { ToolServers } from './tool-servers/settings.ts'
import { toolsFor, type ToolScope } from './tools.ts'

export type OpenTools = AsyncDisposable & { tools: ModelTool[] }

/** All tools that a prompt names: our own, which read its projects, and those of the servers it names. */
export async function openTools(
  { servers, log }: { servers: ToolServers; log: Log },
  names: readonly string[],
  scope: ToolScope,
  signal: AbortSignal,
): Promise<OpenTools> {
  const own = toolsFor(names, scope)
  if (names.every((name) => readToolName(name) === null)) {
    return { tools: own, [Symbol.asyncDispose]: async () => undefined }
  }
  // Loaded when it is first used: most instances have no such server.
  const { openToolServers } = await import('./tool-servers/open.ts')
  const foreign = await openToolServers({ servers, log, onRead: scope.onRead }, names, signal)
  return {
    tools: [...own, ...foreign.tools],
    [Symbol.asyncDispose]: () => foreign[Symbol.asyncDispose](),
  }
}
