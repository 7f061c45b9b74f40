import type { ModelTool } from '../../ai/model.ts'

/** Tools for one execution. Disposing closes the connections to their servers. */
export type OpenedPromptTools = AsyncDisposable & { tools: ModelTool[] }
