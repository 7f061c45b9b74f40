import { z } from 'zod'
import { DOCUMENT_KINDS } from '../../projects/index/index-entry.ts'

import { InstantInput, Instant } from './common.ts'
import { limitParameter } from './query-parameters.ts'
import { RESULT_KINDS } from './values.ts'

const limit = limitParameter().optional()
const cursor = z.string().min(1).max(2_000).optional().describe('nextCursor of the last page')
const page = { limit: limit.describe('At most 100; without it, everything'), cursor }
const nextCursor = z.string().nullable()

export const ProjectParams = z.object({ projectId: z.string().min(1).max(300) })
export const DocumentParams = ProjectParams.extend({
  '*': z.string().max(2_000).describe('Path of the file, from the folder of the project on'),
})

export const ProjectsQuery = z.object(page)
export const Project = z
  .object({
    id: z.string(),
    name: z.string().describe('The title in the front matter of its README.md, else the id'),
    hasMeetings: z.boolean(),
  })
  .meta({ id: 'Project' })
export const ProjectsResponse = z.object({ projects: z.array(Project), nextCursor })

export const SavedMeeting = z
  .object({
    filename: z.string(),
    title: z.string(),
    date: Instant,
    meetingId: z.string().nullable().describe('Null for a file that names none'),
    status: z.enum(['in_progress', 'completed']),
    participants: z.array(z.string()),
  })
  .meta({ id: 'SavedMeeting' })
export const SavedMeetingsResponse = z.object({
  project: z.string(),
  meetings: z.array(SavedMeeting),
  nextCursor,
})

export const ProjectDocument = z
  .object({
    path: z.string().describe('From the folder of the project on'),
    title: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    size: z.int().describe('Bytes'),
    modifiedAt: Instant,
    meetingId: z.string().nullable(),
    warning: z.string().nullable().describe('Why not all of the file can be found'),
  })
  .meta({ id: 'Document' })
export const DocumentsQuery = z.object({
  folder: z
    .string()
    .max(500)
    .optional()
    .describe('Only what is directly in this folder (empty: the project), with its folders'),
  limit: limit.describe('Default 50, at most 100'),
  cursor,
})
export const DocumentsResponse = z.object({
  project: z.string(),
  folders: z.array(z.string()).optional().describe('Names of the folders in the one asked for'),
  documents: z.array(ProjectDocument),
  nextCursor,
})
export const DocumentResponse = z.object({ project: z.string(), document: ProjectDocument })

export const SearchQuery = z.object({
  q: z.string().max(8_192).describe('Words, and "words in quotes" as they stand'),
  project: z.string().min(1).max(300).optional(),
  speaker: z.string().min(1).max(200).optional().describe('Only what this person said'),
  from: InstantInput.optional(),
  to: InstantInput.optional().describe('Before then'),
  kind: z.enum(RESULT_KINDS).optional(),
  limit: limit.describe('Default 50, at most 100'),
  cursor,
})
export const SearchResult = z
  .object({
    kind: z.enum(RESULT_KINDS).describe('segment: somebody said it; document: it is in a file'),
    project: z.string(),
    title: z.string().describe('Of the meeting or the document'),
    meetingId: z.string().nullable(),
    segmentNumber: z.int().nullable(),
    speaker: z.string().nullable(),
    timestamp: Instant.describe('When it was said, or the date of the document'),
    path: z.string().nullable(),
    line: z.int().nullable().describe('Of the file, where the first match is'),
    text: z.string().describe('The passage'),
    matches: z
      .array(z.object({ start: z.int(), end: z.int() }))
      .describe('Where the passage has what was looked for, in UTF-16 units'),
    score: z.number(),
    link: z.string().describe('Where the line can be read'),
  })
  .meta({ id: 'SearchResult' })
export const SearchResponse = z.object({
  results: z.array(SearchResult),
  corrections: z
    .array(z.object({ word: z.string(), meant: z.array(z.string()) }))
    .describe('Words that nobody ever wrote, and what was looked for instead'),
  nextCursor,
})

/** As JSON carries them. */
export type WireProject = z.input<typeof Project>
export type WireProjects = z.input<typeof ProjectsResponse>
export type WireSavedMeetings = z.input<typeof SavedMeetingsResponse>
export type WireDocument = z.input<typeof ProjectDocument>
export type WireDocuments = z.input<typeof DocumentsResponse>
export type WireSearchResult = z.input<typeof SearchResult>
export type WireSearch = z.input<typeof SearchResponse>
