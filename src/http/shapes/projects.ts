import { z } from 'zod'
import { DOCUMENT_KINDS } from '../../projects/index/index-entry.ts'
import { Count, InstantInput, Instant, NextCursor, Ordinal, NullableText } from './common.ts'
import {
  createCursorParameterSchema,
  createLimitParameterSchema,
  PageSizeParameter,
} from './query-parameters.ts'
import { MATCHED_WORDS, PROJECT_ACCESS_LEVELS, RESULT_KINDS } from './values.ts'

const cursor = createCursorParameterSchema(2_000)
const page = {
  limit: createLimitParameterSchema()
    .optional()
    .describe(
      'How many to return; a number above 100 counts as 100. Without limit and cursor, everything',
    ),
  cursor,
}
const nextCursor = NextCursor

export const DocumentParams = z.object({
  '*': z.string().max(2_000).describe('Path of the file, relative to the project folder'),
})

export const ProjectsQuery = z.object(page)
export const Project = z
  .object({
    id: z
      .string()
      .meta({ examples: ['api'] })
      .describe('The value of `project` in requests'),
    name: z
      .string()
      .meta({ examples: ['Sales'] })
      .describe('The title in the front matter of its README.md, otherwise the id'),
    hasMeetings: z.boolean().describe('Whether it has saved transcripts'),
    meetingCount: Count.describe('Saved transcripts'),
    documentCount: Count.describe('Files that are not transcripts'),
    access: z
      .enum(PROJECT_ACCESS_LEVELS)
      .describe('`team`: every user of the instance; `private`: only its members'),
  })
  .meta({ id: 'Project' })
export const ProjectsResponse = z.object({ projects: z.array(Project), nextCursor })

export const SavedMeeting = z
  .object({
    filename: z.string(),
    title: z.string(),
    date: Instant,
    meetingId: NullableText.describe('Null when the file names no meeting'),
    status: z.enum(['in_progress', 'completed']),
    participants: z.array(z.string()).describe('Names, when recorded'),
  })
  .meta({ id: 'SavedMeeting' })
export const SavedMeetingsResponse = z.object({
  project: z.string(),
  meetings: z.array(SavedMeeting),
  nextCursor,
})

export const ProjectDocumentMetadata = z
  .object({
    path: z.string().describe('Relative to the project folder'),
    title: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    size: Count.describe('Bytes'),
    modifiedAt: Instant,
    meetingId: NullableText.describe('The meeting of a transcript'),
    warning: NullableText.describe('Why search does not cover the whole file'),
  })
  .meta({ id: 'Document' })
export const DocumentsQuery = z.object({
  folder: z
    .string()
    .max(500)
    .optional()
    .describe(
      'Only documents directly in this folder, and its subfolders; empty for the project folder',
    ),
  ...page,
})
export const DocumentsResponse = z.object({
  project: z.string(),
  folders: z
    .array(z.string())
    .optional()
    .describe('Names of the subfolders of the requested folder'),
  documents: z.array(ProjectDocumentMetadata),
  nextCursor,
})
export const DocumentResponse = z.object({ project: z.string(), document: ProjectDocumentMetadata })

export const SearchQuery = z.object({
  q: z.string().max(8_192).describe('Words, and "words in quotes" for an exact phrase'),
  project: z.string().min(1).max(300).optional().describe('Only results of this project'),
  speaker: z.string().min(1).max(200).optional().describe('Only segments of this speaker'),
  from: InstantInput.optional().describe('Only results since then'),
  to: InstantInput.optional().describe('Only results before then'),
  kind: z.enum(RESULT_KINDS).optional().describe('Only parts of transcripts, or only of files'),
  limit: PageSizeParameter,
  cursor,
})
/** The place of a text that was found. */
export const textSourceFields = {
  kind: z.enum(RESULT_KINDS).describe('segment: part of a transcript; document: part of a file'),
  project: z.string(),
  title: z.string().describe('Title of the meeting or the document'),
  meetingId: NullableText.describe('The meeting of a segment or a transcript'),
  segmentNumber: Ordinal.nullable().describe('Null for a document'),
  speaker: NullableText.describe('Null for a document'),
  timestamp: Instant.describe('When it was said, or the date of the document'),
  path: NullableText.describe('Path of the document; null for a segment'),
}
export const SearchResult = z
  .object({
    ...textSourceFields,
    line: Ordinal.nullable().describe('Line of the file with the first match'),
    text: z.string().describe('The passage'),
    matches: z
      .array(z.object({ start: Count, end: Count }))
      .describe('Positions of the matches in the passage, in UTF-16 code units'),
    score: z.number().describe('Higher is better'),
    link: z.string().describe('Path of the transcript or document, at that line'),
  })
  .meta({ id: 'SearchResult' })
export const SearchResponse = z.object({
  results: z.array(SearchResult),
  matched: z
    .enum(MATCHED_WORDS)
    .describe('all: results have all words; any: nothing has them all, results have some words'),
  corrections: z
    .array(z.object({ word: z.string(), meant: z.array(z.string()) }))
    .describe('Words that occur nowhere, and the words that were searched instead'),
  nextCursor,
})

/** Each `Api…` type is the JSON form of a response or of a part of one, with times as text, for the console. */
export type ApiProject = z.input<typeof Project>
export type ApiSavedMeetingsPage = z.input<typeof SavedMeetingsResponse>
export type ApiDocument = z.input<typeof ProjectDocumentMetadata>
export type ApiSearchResult = z.input<typeof SearchResult>
export type ApiSearchResponse = z.input<typeof SearchResponse>
