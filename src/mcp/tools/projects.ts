import { z } from 'zod'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { cursor, nextCursor, pageSize, defineTool } from '../define-tool.ts'

const limit = pageSize(50, 20)
const project = z.string().min(1).describe('Id of the project')

/** A text that was found, and its place. */
const FoundText = z.object({
  kind: z
    .enum(['segment', 'document'])
    .describe('segment: part of a transcript; document: part of a file'),
  project: z.string(),
  title: z.string().describe('Title of the meeting or the document'),
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
    'Searches transcripts and documents. Results have the passage, the speaker and the time, and all words of the query or, if nothing has them all, some. Words also match other word forms and despite typing errors; "words in quotes" match exactly.',
  operations: ['search.find'],
  input: z.object({
    query: z.string().min(1).max(1_000),
    project: project.optional(),
    speaker: z.string().min(1).max(200).optional().describe('Only segments of this speaker'),
    from: z.iso.datetime().optional().describe('ISO 8601, UTC'),
    to: z.iso.datetime().optional().describe('Only results before then'),
    kind: z.enum(['segment', 'document']).optional(),
    limit,
    cursor,
  }),
  output: z.object({
    results: z.array(FoundText),
    matched: z
      .enum(['all', 'any'])
      .describe('any: nothing has all words of the query, and results have some of them'),
    nextCursor,
  }),
  async run(client, { query, limit: size = 20, from, to, ...filters }) {
    const times = { from: toInstant(from), to: toInstant(to) }
    return client.search.find(omitUndefined({ q: query, limit: size, ...times, ...filters }))
  },
})

export const listProjectsTool = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists projects. Each project has transcripts and documents.',
  operations: ['projects.list'],
  input: z.object({ limit, cursor }),
  output: z.object({
    projects: z.array(z.object({ id: z.string(), name: z.string(), hasMeetings: z.boolean() })),
    nextCursor,
  }),
  async run(client, { limit: size = 20, cursor: from }) {
    return client.projects.list(omitUndefined({ limit: size, cursor: from }))
  },
})

export const listDocumentsTool = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description:
    'Lists the documents of a project by path: meeting transcripts and all other documents.',
  operations: ['projects.documents'],
  input: z.object({
    project,
    folder: z.string().optional().describe('Only documents directly in this folder'),
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
    return { ...page, folders: page.folders ?? [] }
  },
})

export const readDocumentTool = defineTool({
  name: 'read_document',
  title: 'Read a document',
  description:
    'Reads the text of a document in parts. For the next part pass nextOffset as offset, until it is null.',
  operations: ['projects.document'],
  input: z.object({
    project,
    path: z.string().min(1).describe('Path from list_documents'),
    offset: z.int().min(0).optional().describe('How many characters to skip'),
    limit: z.int().min(1).max(100_000).optional().describe('How many characters; default 20,000'),
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
    nextOffset === null ? text : `${text}\n(more text: offset ${nextOffset})`,
})

const Line = FoundText.extend({
  number: z.int().describe('What the answer cites it by, as in [3]'),
})

export const askTool = defineTool({
  name: 'ask',
  title: 'Ask a question',
  description:
    'Answers a question from transcripts and documents. Each sentence of the answer cites lines, such as [3]. Without a language model, or when it fails, statements of recaps answer questions about decisions, action items and open questions; for other questions the result has the passages that most likely hold the answer.',
  operations: ['ask.question'],
  input: z.object({
    question: z.string().min(1).max(2_000),
    project: z.string().min(1).optional().describe('Only texts of this project'),
    meetingId: z.string().optional().describe('Only what was said in this meeting'),
    from: z.iso.datetime().optional().describe('ISO 8601, UTC'),
    to: z.iso.datetime().optional().describe('Only texts before then'),
  }),
  output: z.object({
    found: z.boolean(),
    answer: z.string().nullable().describe('null when there are only passages'),
    method: z.enum(['model', 'recap', 'passages']),
    reason: z
      .string()
      .nullable()
      .describe('Why there is no answer, or only a part of one, or not one of a model'),
    droppedSentences: z
      .int()
      .describe('Sentences of the model that are left out, because they cite nothing'),
    citations: z.array(Line).describe('The lines that the answer cites'),
    passages: z.array(Line).describe('Only when nothing else answers, best first'),
  }),
  async run(client, { question, project, meetingId, from, to }) {
    const times = { from: toInstant(from), to: toInstant(to) }
    const answered = await client.ask.question(
      omitUndefined({ question, project, meetingId, ...times }),
    )
    return { ...answered, passages: answered.method === 'passages' ? answered.passages : [] }
  },
})

/** Converts the assistant's time to ISO 8601 in UTC, as the API client expects it. */
function toInstant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(text).toISOString()
}
