import type { ProviderAnswer } from '../http/provider-server.ts'
import { refuse } from './api-errors.ts'
import type { IssuedToken } from './oauth-endpoint.ts'
import {
  MEET_SCOPE,
  type Conference,
  type Workspace,
  type WorkspaceTranscript,
} from './workspace.ts'

/*
 * The requests of the Google Meet REST API v2 that a connection sends, written from its discovery document (revision
 * 20260421) and the guide to conferences, which says that a list has only conferences that the caller organized.
 */

type Context = { workspace: Workspace; person: string; url: URL }

const NOT_FOUND = refuse(404, 'NOT_FOUND', 'Requested entity was not found.')
const NO_PERMISSION = refuse(403, 'PERMISSION_DENIED', 'The caller does not have permission')
const KEPT_MS = 30 * 24 * 3_600_000

export function answerMeetRequest(
  workspace: Workspace,
  { person, scopes }: IssuedToken,
  url: URL,
): ProviderAnswer {
  if (!workspace.enabledApis.includes('meet'))
    return refuse(
      403,
      'PERMISSION_DENIED',
      'Google Meet API has not been used in project 123 before or it is disabled.',
      'SERVICE_DISABLED',
    )
  if (!scopes.includes(MEET_SCOPE))
    return refuse(
      403,
      'PERMISSION_DENIED',
      'Request had insufficient authentication scopes.',
      'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    )
  const user = workspace.users.find(({ address }) => address === person)
  if (user?.hasMeet !== true) return NO_PERMISSION
  const context = { workspace, person, url }
  const [, collection, id = '', child, childId, grandchild] = url.pathname
    .slice('/v2'.length)
    .split('/')
  if (collection === 'spaces') return answerSpace(context, id)
  if (collection !== 'conferenceRecords') return NOT_FOUND
  if (id === '') return listConferences(context)
  const conference = listKept(context).find((one) => one.id === id)
  if (conference === undefined) return NOT_FOUND
  if (child === undefined) return { status: 200, body: toConference(conference) }
  if (child === 'participants')
    return listPage(context, 'participants', 250, conference.participants.map(toParticipant(id)))
  if (child !== 'transcripts') return NOT_FOUND
  if (childId === undefined)
    return listPage(context, 'transcripts', 100, conference.transcripts.map(toTranscript(id)))
  const transcript = conference.transcripts.find((one) => one.id === childId)
  if (transcript === undefined) return NOT_FOUND
  if (grandchild === undefined) return { status: 200, body: toTranscript(id)(transcript) }
  return listPage(context, 'transcriptEntries', 100, toEntries(id, transcript))
}

/** Conferences expire after 30 days. */
function listKept({ workspace, person }: Context): Conference[] {
  const oldest = workspace.now().getTime() - KEPT_MS
  return workspace.conferences.filter(
    ({ organizer, endAt }) => organizer === person && (endAt === null || endAt.getTime() > oldest),
  )
}

function listConferences(context: Context): ProviderAnswer {
  const filter = context.url.searchParams.get('filter') ?? ''
  const [, from] = /^end_time>="([^"]+)"$/.exec(filter) ?? []
  if (from === undefined || Number.isNaN(Date.parse(from)))
    return refuse(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.')
  const found = listKept(context)
    .filter(({ endAt }) => endAt !== null && endAt >= new Date(from))
    .toSorted((a, b) => b.startAt.getTime() - a.startAt.getTime())
  return listPage(context, 'conferenceRecords', 100, found.map(toConference))
}

function answerSpace({ workspace, person }: Context, id: string): ProviderAnswer {
  const found = workspace.conferences.find(({ space }) => space === id)
  if (found === undefined) return NOT_FOUND
  if (found.organizer !== person) return NO_PERMISSION
  const { meetingCode } = found
  const meetingUri = `https://meet.google.com/${meetingCode}`
  return { status: 200, body: { name: `spaces/${id}`, meetingUri, meetingCode } }
}

/** A page token has the position and a number that tests raise to make it too old. An empty list has no field. */
function listPage(
  { workspace, url }: Context,
  field: string,
  maximum: number,
  all: readonly object[],
): ProviderAnswer {
  const { pageSize, pageGeneration } = workspace
  const asked = Number(url.searchParams.get('pageSize') ?? '10')
  const [position = '0', generation] = (url.searchParams.get('pageToken') ?? '').split('.')
  if (generation !== undefined && Number(generation) !== pageGeneration)
    return refuse(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.')
  const start = Number(position)
  const end = start + Math.min(asked, maximum, pageSize)
  const items = all.slice(start, end)
  const next = end < all.length ? { nextPageToken: `${end}.${pageGeneration}` } : {}
  return { status: 200, body: { ...(items.length > 0 && { [field]: items }), ...next } }
}

const format = (at: Date) => at.toISOString().replace('Z', '123Z')

function toConference({ id, startAt, endAt, space }: Conference) {
  return {
    name: `conferenceRecords/${id}`,
    startTime: format(startAt),
    ...(endAt !== null && {
      endTime: format(endAt),
      expireTime: format(new Date(endAt.getTime() + KEPT_MS)),
    }),
    space: `spaces/${space}`,
  }
}

function toParticipant(conferenceId: string) {
  return ({ id, kind, name }: Conference['participants'][number]) => ({
    name: `conferenceRecords/${conferenceId}/participants/${id}`,
    [kind]: { ...(kind === 'signedinUser' && { user: `users/${id}` }), displayName: name },
    earliestStartTime: '2026-11-19T09:00:00Z',
  })
}

function toTranscript(conferenceId: string) {
  return ({ id, state, startAt, endAt }: WorkspaceTranscript) => ({
    name: `conferenceRecords/${conferenceId}/transcripts/${id}`,
    state,
    startTime: format(startAt),
    ...(endAt !== null && { endTime: format(endAt) }),
    ...(state === 'FILE_GENERATED' && {
      docsDestination: { document: id, exportUri: `https://docs.google.com/document/d/${id}/view` },
    }),
  })
}

function toEntries(conferenceId: string, { id, lines }: WorkspaceTranscript): object[] {
  return lines
    .toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime())
    .map(({ participant, text, startAt, endAt }, i) => ({
      name: `conferenceRecords/${conferenceId}/transcripts/${id}/entries/${i}`,
      participant,
      text,
      languageCode: 'en-US',
      startTime: format(startAt),
      endTime: format(endAt),
    }))
}
