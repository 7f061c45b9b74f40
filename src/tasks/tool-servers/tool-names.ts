/** The form in a prompt: `mcp:wiki` for all tools of a server, `mcp:wiki:search` for one tool. */
const TOOL_REFERENCE = /^mcp:([^:]*)(?::(.*))?$/

/** `tool` is null when the prompt names all tools of the server. */
export type ToolReference = { server: string; tool: string | null }

/** Parses a tool name of a prompt. Null when it does not refer to an MCP server. */
export function parseToolReference(name: string): ToolReference | null {
  const [, server, tool] = TOOL_REFERENCE.exec(name) ?? []
  return server === undefined ? null : { server, tool: tool ?? null }
}

/** The longest tool name that model providers accept. */
const MAX_LENGTH = 64

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
