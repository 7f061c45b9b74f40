import { z } from 'zod'
import { defineTool, omitUndefined, READ_ONLY } from '../define-tool.ts'

const limit = z.int().min(1).max(50).optional().describe('At most 50; 20 without it')
const cursor = z.string().optional().describe('nextCursor of the page before')
const nextCursor = z.string().nullable().describe('null: this was the last page')
const project = z.string().min(1).describe('Its id')

const Result = z.object({
  kind: z.enum(['segment', 'document']).describe('segment: somebody said it; document: a file'),
  project: z.string(),
  title: z.string().describe('Of the meeting or the document'),
  text: z.string().describe('The passage'),
  meetingId: z.string().nullable(),
  segmentNumber: z.int().nullable(),
  speaker: z.string().nullable(),
  timestamp: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
})

export const searchTool = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds what was said in meetings and what is written in documents, with the passage, who said it and when. Words are found in other endings and with typing errors; "words in quotes" as they stand.',
  annotations: READ_ONLY,
  input: z.object({
    query: z.string().min(1).max(1_000),
    project: project.optional(),
    speaker: z.string().min(1).max(200).optional().describe('Only what this person said'),
    from: z.iso.datetime().optional().describe('ISO 8601, UTC'),
    to: z.iso.datetime().optional().describe('Before then'),
    kind: z.enum(['segment', 'document']).optional(),
    limit,
    cursor,
  }),
  output: z.object({ results: z.array(Result), nextCursor }),
  async run(client, { query, limit: size = 20, from, to, ...filters }) {
    const times = { from: toInstant(from), to: toInstant(to) }
    const page = await client.search.find(
      omitUndefined({ q: query, limit: size, ...times, ...filters }),
    )
    const results = page.results.map((found) => {
      const { kind, title, text, meetingId, segmentNumber, speaker } = found
      const { timestamp, path, line, project: id } = found
      return {
        kind,
        project: id,
        title,
        text,
        meetingId,
        segmentNumber,
        speaker,
        timestamp,
        path,
        line,
      }
    })
    return { results, nextCursor: page.nextCursor }
  },
})

export const listProjectsTool = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Projects: the folders in which transcripts and documents lie.',
  annotations: READ_ONLY,
  input: z.object({ limit, cursor }),
  output: z.object({
    projects: z.array(z.object({ id: z.string(), name: z.string(), hasMeetings: z.boolean() })),
    nextCursor,
  }),
  async run(client, { limit: size = 20, cursor: from }) {
    const page = await client.projects.list(omitUndefined({ limit: size, cursor: from }))
    const projects = page.projects.map(({ id, name, hasMeetings }) => ({ id, name, hasMeetings }))
    return { projects, nextCursor: page.nextCursor }
  },
})

export const listDocumentsTool = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description:
    'Documents of a project by path: transcripts of meetings and whatever else is filed.',
  annotations: READ_ONLY,
  input: z.object({
    project,
    folder: z.string().optional().describe('Only what is directly in this folder'),
    limit,
    cursor,
  }),
  output: z.object({
    documents: z.array(
      z.object({ path: z.string(), title: z.string(), size: z.int(), modifiedAt: z.string() }),
    ),
    folders: z.array(z.string()),
    nextCursor,
  }),
  async run(client, { project: id, folder, limit: size = 20, cursor: from }) {
    const query = omitUndefined({ folder, limit: size, cursor: from })
    const page = await client.projects.documents(id, query)
    const documents = page.documents.map(({ path, title, size: bytes, modifiedAt }) => {
      return { path, title, size: bytes, modifiedAt }
    })
    return { documents, folders: page.folders ?? [], nextCursor: page.nextCursor }
  },
})

export const readDocumentTool = defineTool({
  name: 'read_document',
  title: 'Read a document',
  description: 'The text of a document, in parts. Go on with offset: nextOffset until it is null.',
  annotations: READ_ONLY,
  input: z.object({
    project,
    path: z.string().min(1).describe('As list_documents names it'),
    offset: z.int().min(0).optional().describe('Characters to leave out'),
    limit: z.int().min(1).max(100_000).optional().describe('Characters; 20,000 without it'),
  }),
  output: z.object({
    project: z.string(),
    path: z.string(),
    text: z.string(),
    nextOffset: z.int().nullable(),
    totalCharacters: z.int(),
  }),
  async run(client, { project: id, path, offset = 0, limit: size = 20_000 }) {
    const whole = await client.projects.document(id, path)
    const end = offset + size
    return {
      project: id,
      path,
      text: whole.slice(offset, end),
      nextOffset: end < whole.length ? end : null,
      totalCharacters: whole.length,
    }
  },
  show: ({ text, nextOffset }) =>
    nextOffset === null ? text : `${text}\n(there is more: offset ${nextOffset})`,
})

/** Written the one way that the interface reads. */
function toInstant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(text).toISOString()
}
