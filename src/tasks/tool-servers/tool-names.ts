/** How a prompt names them: `mcp:wiki` for all tools of a server, `mcp:wiki:search` for one. */
const TOOL_REFERENCE = /^mcp:([^:]*)(?::(.*))?$/

export type ToolReference = { server: string; tool: string | null }

/** Null: it is no tool of a server. */
export function parseToolReference(name: string): ToolReference | null {
  const [, server, tool] = TOOL_REFERENCE.exec(name) ?? []
  return server === undefined ? null : { server, tool: tool ?? null }
}

/** What providers take as the name of a tool. */
const MAX_LENGTH = 64

/** The name for a model, other than all those that are taken. */
export function toModelToolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${server}_${tool}`.replace(/[^\w-]/g, '_').slice(0, MAX_LENGTH)
  let name = plain
  for (let i = 2; taken.has(name); i += 1) name = `${plain.slice(0, MAX_LENGTH - 4)}_${i}`
  return name
}
