import { z } from 'zod'
import type { ModelTool } from '../../ai/model.ts'
import type { DocumentReader } from '../../projects/document-reader.ts'
import { toDocumentBlock, toInlineText } from '../prompts/document-block.ts'
import { parseDuration } from '../prompts/duration.ts'
import { DOCUMENT_TOOL_NAMES } from '../prompts/prompt-settings.ts'

/** What the model may read: these projects and nothing else. */
export type DocumentToolContext = {
  documentReader: DocumentReader
  projects: readonly string[]
  onDocumentRead(path: string): void
}

const MAX_LIST = 100
const MAX_RESULTS = 20
const MAX_CHARS = 20_000

const project = z.string().describe('Project id')

type DocumentToolName = (typeof DOCUMENT_TOOL_NAMES)[number]
type ToolDefinition<Input extends z.ZodObject> = {
  description: string
  input: Input
  run(scope: DocumentToolContext, input: z.output<Input>, signal: AbortSignal): Promise<string>
}

function defineTool<Input extends z.ZodObject>(
  definition: ToolDefinition<Input>,
): ToolDefinition<z.ZodObject> {
  return {
    ...definition,
    run: (scope, given, signal) => definition.run(scope, definition.input.parse(given), signal),
  }
}

/** All that a model can do besides answering. None of it writes, and none of it leaves the scope. */
const DOCUMENT_TOOLS: Readonly<Record<DocumentToolName, ToolDefinition<z.ZodObject>>> = {
  list_projects: defineTool({
    description: 'Lists the projects that may be read.',
    input: z.object({}),
    run: async ({ projects }) => projects.map(toInlineText).join('\n'),
  }),
  list_documents: defineTool({
    description: 'Lists documents of a project, the most recently changed first.',
    input: z.object({
      project,
      prefix: z.string().optional().describe('Only paths that begin so, such as meetings/'),
      since: z.string().optional().describe('Only those changed within a span such as 7d'),
      limit: z.int().min(1).max(MAX_LIST).optional(),
    }),
    async run(scope, { project: id, prefix = '', since, limit = MAX_LIST }) {
      if (!scope.projects.includes(id)) return notAllowedMessage(id)
      const span = since === undefined ? null : parseDuration(since)
      if (since !== undefined && span === null) return 'since is a span such as 7d or 12h.'
      const from = span === null ? null : new Date(Date.now() - span)
      const found = await scope.documentReader.documents(id, { prefix, since: from, limit })
      return (
        found
          .map(({ path, changedAt }) => `${changedAt.toISOString()} ${toInlineText(path)}`)
          .join('\n') || 'No documents.'
      )
    },
  }),
  read_document: defineTool({
    description: 'Reads a document, or a part of a long one.',
    input: z.object({
      project,
      path: z.string().describe('As list_documents shows it'),
      offset: z.int().min(0).optional().describe('First character'),
      maxChars: z.int().min(1).max(MAX_CHARS).optional(),
    }),
    async run(scope, { project: id, path, offset = 0, maxChars = MAX_CHARS }) {
      if (!scope.projects.includes(id)) return notAllowedMessage(id)
      const text = await scope.documentReader.read(id, path)
      if (text === null) return 'There is no such document.'
      scope.onDocumentRead(`${id}/${path}`)
      const part = text.slice(offset, offset + maxChars).toWellFormed()
      const rest = text.length - offset - part.length
      return `${toDocumentBlock(`${id}/${path}`, part)}${rest > 0 ? `\n${rest} more characters follow.` : ''}`
    },
  }),
  search_documents: defineTool({
    description:
      'Finds what was said in meetings and what is written in documents: passages with all the words of a query, the best first. Words are found with other endings and with typing errors; "words in quotes" as they stand.',
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
          .map(({ project: home, path, speaker, at, text }) => {
            onDocumentRead(`${home}/${path}`)
            const said = speaker === null ? text : `${at.toISOString()} ${speaker}: ${text}`
            return toDocumentBlock(`${home}/${path}`, said)
          })
          .join('\n') || 'Nothing found.'
      )
    },
  }),
}

/** The tools that a prompt names. A name that is not among them is a mistake that the prompt's check reports. */
export function createDocumentTools(
  names: readonly string[],
  scope: DocumentToolContext,
): ModelTool[] {
  return DOCUMENT_TOOL_NAMES.filter((name) => names.includes(name)).map((name) => {
    const { description, input, run } = DOCUMENT_TOOLS[name]
    return {
      name,
      description,
      input,
      run: (given, signal) => run(scope, given as Record<string, unknown>, signal),
    }
  })
}

function notAllowedMessage(id: string): string {
  return `The project ${toInlineText(id)} is not one that this task may read.`
}
