import { z } from 'zod'
import { ReadProblem } from '../problems.ts'
import type { GoogleSession } from './google-session.ts'

/** The requests that this service sends to the Google Meet REST API, written from its discovery document of 2026-04-21. */

const MAX_NAME_CHARS = 500
const MAX_DISPLAY_NAME_CHARS = 500
const CONFERENCES_PER_PAGE = 25
const TRANSCRIPTS_PER_PAGE = 100
const PARTICIPANTS_PER_PAGE = 250
const ENTRIES_PER_PAGE = 100
/** Google may send pages with fewer items than asked for. More lines cannot be imported. */
const MAX_PAGES = 200
const MAX_CONTENT_CHARS = 8_000_000

const instant = z
  .string()
  .max(50)
  .transform((text, context) => {
    const at = new Date(text)
    if (!Number.isNaN(at.getTime())) return at
    context.addIssue('not a time')
    return z.NEVER
  })
/** A resource name such as `conferenceRecords/a/transcripts/b`, with nothing that changes the path of a request. */
const resource = (pattern: RegExp) => z.string().max(MAX_NAME_CHARS).regex(pattern)
const token = z
  .string()
  .max(8_000)
  .optional()
  .transform((text) => (text === '' ? undefined : text))

const Conference = z.object({
  name: resource(/^conferenceRecords\/[\w-]+$/),
  startTime: instant,
  endTime: instant.optional(),
  space: resource(/^spaces\/[\w-]+$/).optional(),
})
const ConferencePage = z.object({
  conferenceRecords: z.array(Conference).max(1_000).default([]),
  nextPageToken: token,
})
const Transcript = z.object({
  name: resource(/^conferenceRecords\/[\w-]+\/transcripts\/[\w-]+$/),
  state: z.string().max(100),
  startTime: instant.optional(),
  endTime: instant.optional(),
})
const TranscriptsPage = z.object({
  transcripts: z.array(Transcript).max(1_000).default([]),
  nextPageToken: token,
})
const User = z
  .object({ displayName: z.string().default('') })
  .transform(({ displayName }) => displayName.slice(0, MAX_DISPLAY_NAME_CHARS))
const Participant = z.object({
  name: z.string().max(MAX_NAME_CHARS),
  signedinUser: User.optional(),
  anonymousUser: User.optional(),
  phoneUser: User.optional(),
})
const ParticipantsPage = z.object({
  participants: z.array(Participant).max(1_000).default([]),
  nextPageToken: token,
})
const Entry = z.object({
  participant: z.string().max(MAX_NAME_CHARS).default(''),
  text: z.string().default(''),
  startTime: instant,
  endTime: instant.optional(),
})
const EntriesPage = z.object({
  transcriptEntries: z.array(Entry).max(1_000).default([]),
  nextPageToken: token,
})
const Space = z.object({ meetingCode: z.string().max(128).default('') })

export type Conference = z.output<typeof Conference>
export type MeetTranscript = z.output<typeof Transcript>
export type TranscriptEntry = z.output<typeof Entry>

/** Conferences that a person organized and that ended since then, the newest first. Throws `CursorLost` for an old token. */
export async function listConferences(
  session: GoogleSession,
  person: string,
  endedSince: Date,
  pageToken: string | undefined,
): Promise<{ conferences: Conference[]; nextPageToken: string | undefined }> {
  const query = {
    pageSize: String(CONFERENCES_PER_PAGE),
    filter: `end_time>="${endedSince.toISOString()}"`,
    ...(pageToken !== undefined && { pageToken }),
  }
  const isContinued = pageToken !== undefined
  const request = {
    api: 'meet',
    person,
    path: '/v2/conferenceRecords',
    query,
    isContinued,
  } as const
  const { conferenceRecords, nextPageToken } = await session.readJson(request, ConferencePage)
  return { conferences: conferenceRecords, nextPageToken }
}

export function readConference(
  session: GoogleSession,
  person: string,
  name: string,
): Promise<Conference> {
  return session.readJson({ api: 'meet', person, path: `/v2/${name}` }, Conference)
}

/** The code with which people join, such as `abc-mnop-xyz`. */
export async function readMeetingCode(
  session: GoogleSession,
  person: string,
  space: string,
): Promise<string> {
  const { meetingCode } = await session.readJson(
    { api: 'meet', person, path: `/v2/${space}` },
    Space,
  )
  return meetingCode
}

export function readTranscript(
  session: GoogleSession,
  person: string,
  name: string,
): Promise<MeetTranscript> {
  return session.readJson({ api: 'meet', person, path: `/v2/${name}` }, Transcript)
}

export function listTranscripts(
  session: GoogleSession,
  person: string,
  conference: string,
): Promise<MeetTranscript[]> {
  return readAllPages(async (pageToken) => {
    const query = { pageSize: String(TRANSCRIPTS_PER_PAGE), ...pageToken }
    const path = `/v2/${conference}/transcripts`
    const page = await session.readJson({ api: 'meet', person, path, query }, TranscriptsPage)
    return { items: page.transcripts, next: page.nextPageToken }
  })
}

/** The names of the participants by their resource names: of accounts, guests and telephones. */
export async function listParticipants(
  session: GoogleSession,
  person: string,
  conference: string,
): Promise<Map<string, string>> {
  const all = await readAllPages(async (pageToken) => {
    const query = { pageSize: String(PARTICIPANTS_PER_PAGE), ...pageToken }
    const path = `/v2/${conference}/participants`
    const page = await session.readJson({ api: 'meet', person, path, query }, ParticipantsPage)
    return { items: page.participants, next: page.nextPageToken }
  })
  return new Map(
    all.map(({ name, signedinUser, anonymousUser, phoneUser }) => [
      name,
      signedinUser ?? anonymousUser ?? phoneUser ?? '',
    ]),
  )
}

/** All lines of a transcript, the earliest first. */
export async function listEntries(
  session: GoogleSession,
  person: string,
  transcript: string,
): Promise<TranscriptEntry[]> {
  const tooLarge = new ReadProblem('too_large')
  let chars = 0
  return readAllPages(async (pageToken) => {
    const query = { pageSize: String(ENTRIES_PER_PAGE), ...pageToken }
    const path = `/v2/${transcript}/entries`
    const request = { api: 'meet', person, path, query, tooLarge } as const
    const page = await session.readJson(request, EntriesPage)
    chars += page.transcriptEntries.reduce((sum, { text }) => sum + text.length, 0)
    if (chars > MAX_CONTENT_CHARS) throw tooLarge
    return { items: page.transcriptEntries, next: page.nextPageToken }
  })
}

type Page<Item> = { items: Item[]; next: string | undefined }

/** Reads pages until the last one. */
async function readAllPages<Item>(
  read: (pageToken: { pageToken?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const all: Item[] = []
  let next: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: Page<Item> = await read(next === undefined ? {} : { pageToken: next })
    all.push(...page.items)
    if (page.next === undefined) return all
    next = page.next
  }
  throw new ReadProblem('too_large')
}
