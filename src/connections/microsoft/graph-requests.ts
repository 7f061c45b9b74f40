import { z } from 'zod'
import type { MeetingDetails, TranscriptKey, TranscriptPage } from '../provider.ts'
import type { GraphSession } from './graph-session.ts'

/** The requests that this service sends to Microsoft Graph v1.0. */

const MAX_ID_CHARS = 2_000
const MAX_LINK_CHARS = 8_000
const MAX_SUBJECT_CHARS = 10_000
const MAX_PAGE_ITEMS = 1_000
/** Far more than the largest transcript that can be imported. */
const MAX_CONTENT_BYTES = 8_000_000

const instant = z
  .string()
  .max(50)
  .transform((text, context) => {
    const at = new Date(text)
    if (!Number.isNaN(at.getTime())) return at
    context.addIssue('not a time')
    return z.NEVER
  })
/** Only what is safe to store and to send again. */
const PRINTABLE = /^[!-~]+$/
const id = z.string().max(MAX_ID_CHARS).regex(PRINTABLE)
const link = z.string().max(MAX_LINK_CHARS).regex(PRINTABLE)

const User = z.object({
  id: z
    .string()
    .max(100)
    .regex(/^[\w-]+$/),
})
const Transcript = z.object({
  id,
  meetingId: id,
  createdDateTime: instant,
  endDateTime: instant.nullish(),
})
const PageResponse = z.object({
  value: z.array(Transcript).max(MAX_PAGE_ITEMS),
  '@odata.nextLink': link.optional(),
  '@odata.deltaLink': link.optional(),
})
const MAX_JOIN_LINK_CHARS = 4_000
const OnlineMeeting = z.object({
  joinWebUrl: z.string().nullish(),
  joinMeetingIdSettings: z
    .object({ joinMeetingId: z.string().nullish(), passcode: z.string().nullish() })
    .nullish(),
  subject: z
    .string()
    .nullish()
    .transform((text) => (text ?? '').slice(0, MAX_SUBJECT_CHARS)),
})

/** The id of the user with this address (user principal name). */
export async function findUserId(graph: GraphSession, address: string): Promise<string> {
  const at = `users/${encodeURIComponent(address)}?$select=id`
  const request = { at, permission: 'User.Read.All', missing: 'organizer_not_found' } as const
  return (await graph.readJson(request, User)).id
}

/** Where the list of an organizer's transcripts begins. */
export function firstTranscriptsLink(userId: string, from: Date): string {
  const organizer = encodeURIComponent(userId)
  const time = from.toISOString().replace(/\.\d+Z$/, 'Z')
  return `users/${organizer}/onlineMeetings/getAllTranscripts(meetingOrganizerUserId='${organizer}',startDateTime=${time})/delta`
}

/** One page of the transcripts that were added, or that Graph lists again. Throws `CursorLost` for an old link. */
export async function readTranscriptPage(
  graph: GraphSession,
  link: string,
): Promise<TranscriptPage> {
  const request = {
    at: link,
    permission: 'OnlineMeetingTranscript.Read.All',
    missing: 'organizer_not_found',
    isList: true,
  } as const
  const page = await graph.readJson(request, PageResponse.refine(hasLink, 'no link'))
  const next = page['@odata.nextLink']
  return {
    transcripts: page.value.map(({ createdDateTime, endDateTime, ...transcript }) => ({
      ...transcript,
      beganAt: createdDateTime,
      endedAt: endDateTime ?? null,
      // Graph lists a transcript again without saying what changed.
      revision: null,
    })),
    cursor: next ?? page['@odata.deltaLink'] ?? '',
    isLastPage: next === undefined,
  }
}

function hasLink(page: z.output<typeof PageResponse>): boolean {
  return (page['@odata.nextLink'] ?? page['@odata.deltaLink'] ?? '') !== ''
}

/** A meeting with its links. Whether the event is private is only in the calendar, which is not read. */
export async function readMeeting(
  graph: GraphSession,
  { userId, onlineMeetingId }: TranscriptKey,
): Promise<MeetingDetails> {
  const at = meetingPath(userId, onlineMeetingId)
  const request = { at, permission: 'OnlineMeetings.Read.All', missing: 'not_found' } as const
  const meeting = await graph.readJson(request, OnlineMeeting)
  const { joinMeetingId, passcode } = meeting.joinMeetingIdSettings ?? {}
  const short = joinMeetingId && toShortLink(joinMeetingId, passcode ?? '')
  const links = [meeting.joinWebUrl, short]
    .flatMap((link) => link || [])
    .filter((text) => text.length <= MAX_JOIN_LINK_CHARS)
  return { title: meeting.subject, isPrivate: false, links }
}

function toShortLink(number: string, passcode: string): string {
  const at = `https://teams.microsoft.com/meet/${encodeURIComponent(number.replaceAll(' ', ''))}`
  return passcode === '' ? at : `${at}?p=${encodeURIComponent(passcode)}`
}

/** The content as WebVTT. */
export function readTranscriptContent(
  graph: GraphSession,
  { userId, onlineMeetingId, transcriptId }: TranscriptKey,
): Promise<string> {
  const path = `${meetingPath(userId, onlineMeetingId)}/transcripts/${encodeURIComponent(transcriptId)}`
  const at = `${path}/content?$format=text/vtt`
  const permission = 'OnlineMeetingTranscript.Read.All'
  return graph.readText({ at, permission, missing: 'not_found' }, MAX_CONTENT_BYTES)
}

function meetingPath(userId: string, onlineMeetingId: string): string {
  return `users/${encodeURIComponent(userId)}/onlineMeetings/${encodeURIComponent(onlineMeetingId)}`
}
