import { readToken } from './token-endpoint.ts'
import type { Tenant, TenantTranscript, TenantUser } from './tenant.ts'

/*
 * The requests of Microsoft Graph v1.0 that a connection sends, written from microsoft-graph-docs-contrib
 * (api-reference/v1.0/api: user-get, calltranscript-delta at 01cf581, calltranscript-get at 035cd1a, onlinemeeting-get at
 * 0060461; concepts: errors at 02b4cba, throttling at 005016a).
 */

export type GraphAnswer = {
  status: number
  body: object | string
  headers?: Record<string, string>
}

type Context = { tenant: Tenant; origin: string; url: URL; roles: string[] }

export async function answerGraphRequest(
  tenant: Tenant,
  origin: string,
  url: URL,
  authorization: string,
  answerSubscription: (path: string) => Promise<GraphAnswer>,
): Promise<GraphAnswer> {
  const claims = await readToken(tenant, authorization, origin)
  if (claims === null)
    return refuse(
      401,
      'InvalidAuthenticationToken',
      'Access token has expired or is not yet valid.',
    )
  const context = { tenant, origin, url, ...claims }
  const path = url.pathname.replace(/^\/v1\.0\//, '')
  if (path.startsWith('subscriptions'))
    return claims.roles.includes('OnlineMeetingTranscript.Read.All')
      ? answerSubscription(path)
      : refuse(403, 'Forbidden', 'Missing role permissions on the request')
  const [, user] = /^users\/([^/]+)$/.exec(path) ?? []
  if (user !== undefined) return answerUser(context, decodeURIComponent(user))
  const delta =
    /^users\/([^/]+)\/onlineMeetings\/getAllTranscripts\(meetingOrganizerUserId='([^']+)'(?:,startDateTime=([^)]+))?\)\/delta$/.exec(
      path,
    )
  if (delta !== null) return answerDelta(context, delta)
  const [, userId = '', meetingId = '', transcriptId] =
    /^users\/([^/]+)\/onlineMeetings\/([^/]+)(?:\/transcripts\/([^/]+)\/content)?$/.exec(path) ?? []
  const key = { userId, meetingId: decodeURIComponent(meetingId) }
  if (userId === '') return refuse(404, 'ResourceNotFound', 'Invalid path')
  return transcriptId === undefined
    ? answerMeeting(context, key)
    : answerContent(context, { ...key, id: decodeURIComponent(transcriptId) })
}

function answerUser({ tenant, roles }: Context, address: string): GraphAnswer {
  if (!roles.includes('User.Read.All'))
    return refuse(
      403,
      'Authorization_RequestDenied',
      'Insufficient privileges to complete the operation.',
    )
  const user = tenant.users.find((one) => one.address === address)
  return user === undefined
    ? refuse(404, 'Request_ResourceNotFound', `Resource '${address}' does not exist`)
    : { status: 200, body: { '@odata.context': 'v1.0/$metadata#users(id)/$entity', id: user.id } }
}

/** A link has the position in the list of changes. Links for further pages and for later rounds differ only in name. */
function answerDelta(context: Context, [, inPath, userId, from]: RegExpExecArray): GraphAnswer {
  const { tenant, origin, url } = context
  const refusal = findRefusal(context, 'OnlineMeetingTranscript.Read.All', inPath ?? '')
  if (refusal !== null) return refusal
  if (inPath !== userId) return refuse(400, 'BadRequest', 'The ids of the user differ')
  const token = url.searchParams.get('$deltatoken') ?? url.searchParams.get('$skiptoken')
  const after = token === null ? 0 : Number(token)
  if (url.searchParams.has('$deltatoken') && after < tenant.oldestDelta)
    return refuse(410, 'resyncRequired', 'The delta token is no longer valid')
  const earliest = from === undefined ? new Date(0) : new Date(decodeURIComponent(from))
  const left = tenant.transcripts
    .filter((one) => one.userId === userId && one.sequence > after && one.createdAt >= earliest)
    .toSorted((a, b) => a.sequence - b.sequence)
  const page = left.slice(0, tenant.pageSize)
  const last = Math.max(after, ...page.map(({ sequence }) => sequence))
  const link = (name: string) => `${origin}${url.pathname}?$${name}=${last}`
  const next =
    left.length > page.length
      ? { '@odata.nextLink': link('skiptoken') }
      : { '@odata.deltaLink': link('deltatoken') }
  const value = page.map((one) => toCallTranscript(origin, one))
  const metadata = `${origin}/v1.0/$metadata#Collection(callTranscript)`
  const body = { '@odata.context': metadata, '@odata.count': value.length, ...next, value }
  return { status: 200, body }
}

function toCallTranscript(origin: string, { id, userId, meetingId, createdAt }: TenantTranscript) {
  return {
    '@odata.type': '#microsoft.graph.callTranscript',
    id,
    meetingId,
    createdDateTime: createdAt.toISOString().replace('Z', '0000Z'),
    endDateTime: new Date(createdAt.getTime() + 600_000).toISOString(),
    transcriptContentUrl: `${origin}/v1.0/users/${userId}/onlineMeetings/${meetingId}/transcripts/${id}/content`,
    meetingOrganizer: {
      application: null,
      device: null,
      user: { id: userId, displayName: null, userIdentityType: 'aadUser' },
    },
  }
}

type MeetingKey = { userId: string; meetingId: string }

function answerMeeting(context: Context, { userId, meetingId }: MeetingKey): GraphAnswer {
  const refusal = findRefusal(context, 'OnlineMeetings.Read.All', userId)
  if (refusal !== null) return refusal
  const found = context.tenant.transcripts.find((one) => one.meetingId === meetingId)
  if (found === undefined) return refuse(404, 'NotFound', 'The meeting does not exist')
  return {
    status: 200,
    body: {
      '@odata.type': '#microsoft.graph.onlineMeeting',
      id: meetingId,
      subject: found.subject,
      joinWebUrl: found.joinUrl,
      joinMeetingIdSettings: null,
      startDateTime: found.createdAt.toISOString(),
      endDateTime: new Date(found.createdAt.getTime() + 1_800_000).toISOString(),
      participants: { attendees: [], organizer: { identity: { user: { id: userId } } } },
    },
  }
}

function answerContent(context: Context, key: MeetingKey & { id: string }): GraphAnswer {
  const refusal = findRefusal(context, 'OnlineMeetingTranscript.Read.All', key.userId)
  if (refusal !== null) return refusal
  if (!context.tenant.hasSpeakerNames)
    return refuse(403, 'Forbidden', 'Not allowed', { code: 'SpeakerAttributionNotAllowed' })
  const found = context.tenant.transcripts.find(
    ({ id, meetingId }) => id === key.id && meetingId === key.meetingId,
  )
  if (found === undefined || found.isGone)
    return refuse(404, 'NotFound', 'The transcript does not exist')
  return { status: 200, body: found.content, headers: { 'content-type': 'text/vtt' } }
}

/** Consent is checked before the policy of the user. */
function findRefusal({ tenant, roles }: Context, permission: string, userId: string) {
  if (!roles.includes(permission)) {
    const text = `Missing role permissions on the request. API requires one of '${permission}'. Roles on the request '${roles.join(', ')}'.`
    return refuse(403, 'Forbidden', text)
  }
  if (!tenant.hasTranscriptAccess && permission === 'OnlineMeetingTranscript.Read.All')
    return refuse(403, 'Forbidden', 'Not allowed', { code: 'GraphAccessToTranscriptsDisabled' })
  const user: TenantUser | undefined = tenant.users.find(({ id }) => id === userId)
  if (user === undefined) return refuse(404, 'NotFound', 'The user does not exist')
  return user.hasPolicy
    ? null
    : refuse(403, 'Forbidden', 'No application access policy found for this app')
}

function refuse(status: number, code: string, message: string, inner: object = {}): GraphAnswer {
  const innerError = { date: '2026-11-15T02:02:12', 'request-id': '599d9cb0-56ac-4dc5', ...inner }
  return { status, body: { error: { code, message, innerError } } }
}
