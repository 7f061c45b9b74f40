import type { McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { HansardError, type Client } from 'hansard/client'
import { z } from 'zod'

/** A tool that assistants can call: one entry of TOOLS in tool-table.ts. */
export type AssistantTool = {
  name: string
  title: string
  description: string
  /** Only API keys with this scope see the tool. Null if every key does. */
  scope: RequiredScope | null
  /** The API operations that the tool calls. It can call no others. */
  operations: readonly OperationName[]
  register(server: McpServer, client: Client): void
}

export type RequiredScope = 'meetings' | 'tasks'

type AssistantToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> = {
  name: string
  title: string
  description: string
  /** What the assistant may expect. By default that the tool only reads. */
  annotations?: ToolAnnotations
  /** The scope that an API key needs for the tool. Only tools that change something require one. */
  scope?: RequiredScope
  /** The API operations that the tool calls. It can call no others. */
  operations: readonly OperationName[]
  input: In
  /** What the assistant gets: fields of the result that it does not name are dropped. */
  output: Out
  run(client: Client, input: z.output<In>): Promise<z.input<Out>>
  /** Formats the result as text for the assistant. Default: JSON. */
  show?(result: z.input<Out>): string
}

const READ_ONLY_TOOL_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  openWorldHint: false,
}

export const cursor = z.string().optional().describe('nextCursor of the previous page')
export const nextCursor = z.string().nullable().describe('null on the last page')

export function pageSize(max: number, defaultSize: number) {
  return z.int().min(1).max(max).optional().describe(`At most ${max}; default ${defaultSize}`)
}

/** The name of an API operation, such as `meetings.start`. */
type OperationName = {
  [Group in keyof Client]: `${Group}.${Extract<keyof Client[Group], string>}`
}[keyof Client]

type ClientGroups = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>({
  annotations = READ_ONLY_TOOL_ANNOTATIONS,
  input,
  output,
  run,
  show,
  ...described
}: AssistantToolDefinition<In, Out>): AssistantTool {
  const { name, title, description, operations, scope = null } = described
  return {
    ...described,
    scope,
    register(server, client) {
      const ownClient = restrictClient(client, operations)
      const config = { title, description, annotations, inputSchema: input, outputSchema: output }
      server.registerTool<Out, In>(name, config, (async (args: z.output<In>) => {
        try {
          const result = output.parse(await run(ownClient, args)) as z.input<Out>
          const text = show === undefined ? JSON.stringify(result) : show(result)
          return { content: [{ type: 'text', text }], structuredContent: result }
        } catch (error) {
          return { isError: true, content: [{ type: 'text', text: toolErrorTextOrRethrow(error) }] }
        }
      }) as never)
    },
  }
}

/** The text that the assistant gets if the API rejects a call. Any other error is a bug and is rethrown. */
export function toolErrorTextOrRethrow(error: unknown): string {
  if (!(error instanceof HansardError)) throw error
  const details = error.details.map(({ path, message }) => ` ${path}: ${message}.`).join('')
  return `${error.message}.${details}${error.hint === null ? '' : ` ${error.hint}.`} (${error.code})`
}

/** A client that can only use these operations. A tool has the access rules of the operations' routes. */
function restrictClient(client: Client, operations: readonly OperationName[]): Client {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const [group = '', name = ''] = operation.split('.')
    groups[group] = { ...groups[group], [name]: (client as unknown as ClientGroups)[group]?.[name] }
  }
  return groups as unknown as Client
}

/** Throws if a tool declares no operation, or one that the API does not have. Call this when the service starts. */
export function requireToolOperations(
  tools: ReadonlyArray<{ name: string; operations: readonly OperationName[] }>,
  client: Client,
): void {
  const problems = tools.flatMap(({ name, operations }) => {
    const unknown = operations.filter((operation) => {
      const [group = '', method = ''] = operation.split('.')
      return typeof (client as unknown as ClientGroups)[group]?.[method] !== 'function'
    })
    if (operations.length === 0) return [`${name} (none)`]
    return unknown.map((operation) => `${name} (${operation})`)
  })
  if (problems.length > 0) throw new Error(`tools with wrong operations: ${problems.join(', ')}`)
}
