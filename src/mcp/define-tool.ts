import type { McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { HansardError, type Client } from 'hansard/client'
import type { z } from 'zod'

/** What an assistant can do here: one row of the table in tools.ts. */
export type AssistantTool = {
  name: string
  title: string
  description: string
  /** Only a key that has it is offered the tool; null: every key. */
  scope: RequiredScope | null
  register(server: McpServer, client: Client): void
}

export type RequiredScope = 'meetings' | 'tasks'

type AssistantToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> = {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  /** Of those that change something. */
  scope?: RequiredScope
  input: In
  output: Out
  run(client: Client, input: z.output<In>): Promise<z.input<Out>>
  /** The same for reading; without it the answer is shown as JSON. */
  show?(answer: z.input<Out>): string
}

export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>(
  definition: AssistantToolDefinition<In, Out>,
): AssistantTool {
  const {
    name,
    title,
    description,
    annotations,
    scope = null,
    input,
    output,
    run,
    show,
  } = definition
  return {
    name,
    title,
    description,
    scope,
    register(server, client) {
      const config = { title, description, annotations, inputSchema: input, outputSchema: output }
      server.registerTool<Out, In>(name, config, (async (given: z.output<In>) => {
        try {
          const answer = await run(client, given)
          const text = show === undefined ? JSON.stringify(answer) : show(answer)
          return { content: [{ type: 'text', text }], structuredContent: answer }
        } catch (error) {
          return { isError: true, content: [{ type: 'text', text: toolErrorText(error) }] }
        }
      }) as never)
    },
  }
}

/** What the assistant should read when a call was refused; anything else is a bug and goes up. */
export function toolErrorText(error: unknown): string {
  if (!(error instanceof HansardError)) throw error
  const details = error.details.map(({ path, message }) => ` ${path}: ${message}.`).join('')
  return `${error.message}.${details}${error.hint === null ? '' : ` ${error.hint}.`} (${error.code})`
}

/** Without the names that have no value: the interface knows only fields that are there. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(there) as { [K in keyof T]: Exclude<T[K], undefined> }
}
