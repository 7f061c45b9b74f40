import { z } from 'zod'
import type { ModelTool } from '../../ai/model.ts'
import type { Log } from '../../log.ts'
import type { DocumentReader } from '../../projects/document-reader.ts'
import { DOCUMENT_READING_TOOL_NAMES } from '../prompts/parse-prompt.ts'
import { toSafePromptLine, wrapInDocumentTags } from '../../ai/prompt-text.ts'
import { parseDurationMs } from '../../lib/time/duration-text.ts'
import type { OpenedPromptTools } from '../tool-servers/connect-tool-servers.ts'
import { parseToolReference, type ToolServers } from '../tool-servers/tool-server-settings.ts'

/** A reader, the projects that the model may read, and a function that is called for every document read. */
export type DocumentReadingToolContext = {
  documentReader: DocumentReader
  projects: readonly string[]
  onDocumentRead(path: string): void
}

const MAX_LISTED_DOCUMENTS = 100
const MAX_RESULTS = 20
const MAX_READ_CHARS = 20_000

const project = z.string().describe('Project id')

type DocumentToolName = (typeof DOCUMENT_READING_TOOL_NAMES)[number]
type ToolDefinition<Input extends z.ZodObject> = {
  description: string
  input: Input
  run(
    context: DocumentReadingToolContext,
    input: z.output<Input>,
    signal: AbortSignal,
  ): Promise<string>
}

function defineTool<Input extends z.ZodObject>(
  definition: ToolDefinition<Input>,
): ToolDefinition<z.ZodObject> {
  return {
    ...definition,
    run: (context, input, signal) => definition.run(context, definition.input.parse(input), signal),
  }
}

/** The built-in tools. They only read documents, and only in the projects of the context. */
const DOCUMENT_TOOLS: Readonly<Record<DocumentToolName, ToolDefinition<z.ZodObject>>> = {
  list_projects: defineTool({
    description: 'Lists the projects that this task may read.',
    input: z.object({}),
    run: async ({ projects }) => projects.map(toSafePromptLine).join('\n'),
  }),
  list_documents: defineTool({
    description: 'Lists documents of a project, the most recently changed first.',
    input: z.object({
      project,
      prefix: z
        .string()
        .optional()
        .describe('Only paths that begin with this text, such as meetings/'),
      since: z
        .string()
        .optional()
        .describe('Only documents changed within this duration, such as 7d'),
      limit: z.int().min(1).max(MAX_LISTED_DOCUMENTS).optional(),
    }),
    async run(context, { project: id, prefix = '', since, limit = MAX_LISTED_DOCUMENTS }) {
      if (!context.projects.includes(id)) return notAllowedMessage(id)
      const durationMs = since === undefined ? null : parseDurationMs(since)
      if (since !== undefined && durationMs === null)
        return 'since must be a duration such as 7d or 12h.'
      const from = durationMs === null ? null : new Date(Date.now() - durationMs)
      const found = await context.documentReader.documents(id, { prefix, since: from, limit })
      return (
        found
          .map(({ path, changedAt }) => `${changedAt.toISOString()} ${toSafePromptLine(path)}`)
          .join('\n') || 'No documents.'
      )
    },
  }),
  read_document: defineTool({
    description: 'Reads a document, or a part of a long one.',
    input: z.object({
      project,
      path: z.string().describe('The path as list_documents shows it'),
      offset: z.int().min(0).optional().describe('Index of the first character'),
      maxChars: z.int().min(1).max(MAX_READ_CHARS).optional(),
    }),
    async run(context, { project: id, path, offset = 0, maxChars = MAX_READ_CHARS }) {
      if (!context.projects.includes(id)) return notAllowedMessage(id)
      const text = await context.documentReader.read(id, path)
      if (text === null) return 'There is no such document.'
      context.onDocumentRead(`${id}/${path}`)
      const part = text.slice(offset, offset + maxChars).toWellFormed()
      const rest = text.length - offset - part.length
      return `${wrapInDocumentTags(`${id}/${path}`, part)}${rest > 0 ? `\n${rest} more characters follow.` : ''}`
    },
  }),
  search_documents: defineTool({
    description:
      'Searches meeting transcripts and documents. Returns passages that contain all words of the query or, if there are none, some of them, best first. Words also match with other endings and typing errors; "words in quotes" match exactly.',
    input: z.object({
      query: z.string().min(1).max(200),
      project: project.optional(),
      limit: z.int().min(1).max(MAX_RESULTS).optional(),
    }),
    async run(
      { documentReader, projects, onDocumentRead },
      { query, project: id, limit = MAX_RESULTS },
    ) {
      if (id !== undefined && !projects.includes(id)) return notAllowedMessage(id)
      const found = await documentReader.search(query, id === undefined ? projects : [id], limit)
      return (
        found
          .map(({ project: projectId, path, speaker, at, text }) => {
            onDocumentRead(`${projectId}/${path}`)
            const passage = speaker === null ? text : `${at.toISOString()} ${speaker}: ${text}`
            return wrapInDocumentTags(`${projectId}/${path}`, passage)
          })
          .join('\n') || 'Nothing found.'
      )
    },
  }),
}

/** Creates the tools that a prompt names. Unknown names are ignored here; `listCheckedPrompts` reports them. */
export function createDocumentReadingTools(
  names: readonly string[],
  context: DocumentReadingToolContext,
): ModelTool[] {
  return DOCUMENT_READING_TOOL_NAMES.filter((name) => names.includes(name)).map((name) => {
    const { description, input, run } = DOCUMENT_TOOLS[name]
    return {
      name,
      description,
      input,
      run: (toolInput, signal) => run(context, toolInput as Record<string, unknown>, signal),
    }
  })
}

function notAllowedMessage(id: string): string {
  return `This task may not read the project ${toSafePromptLine(id)}.`
}

/** Opens all tools that a prompt names: built-in document tools and tools of MCP servers. */
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
