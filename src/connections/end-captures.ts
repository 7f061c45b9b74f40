import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { OfficialCaptures, WaitingCapture } from '../meetings/official/captures.ts'
import type { EndReason } from '../meetings/status.ts'
import { describeProblem, PROVIDER_NAMES, type ProblemCode } from './problems.ts'
import type { ConnectionKind, TranscriptState } from './connection.ts'

type Outcome = { reason: EndReason; detail: string }

/** Everything that keeps an app from reading transcripts until an administrator changes it. */
const NOT_ALLOWED: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'secret_wrong',
  'secret_expired',
  'certificate_refused',
  'app_not_found',
  'tenant_not_found',
  'token_refused',
  'key_refused',
  'delegation_missing',
  'api_disabled',
  'access_revoked',
  'permission_missing',
  'transcripts_disabled',
  'speaker_names_disabled',
  'organizer_not_found',
  'policy_missing',
  'not_delegated',
  'sign_in_refused',
  'service_refused',
  'no_account',
  'project_missing',
])

const WHY_NOT: Readonly<Partial<Record<TranscriptState, EndReason>>> = {
  waiting: 'transcript_not_ready',
  failed: 'transcript_not_ready',
  expired: 'transcript_expired',
  excluded: 'transcript_not_allowed',
}

/** The kind of connection that brings the official transcripts of a platform. */
const KINDS: Readonly<Record<string, ConnectionKind>> = {
  microsoft_teams: 'microsoft',
  google_meet: 'google',
}

/** Why a meeting's official transcript cannot be awaited; null if a connection can bring it. */
export async function findCaptureProblem(db: Db, platform: string): Promise<string | null> {
  const kind = KINDS[platform]
  if (kind === undefined)
    return 'Official transcripts are read only of meetings in Microsoft Teams and Google Meet'
  const row = await db
    .selectFrom('connection')
    .select('id')
    .where('kind', '=', kind)
    .where('is_paused', '=', false)
    .executeTakeFirst()
  return row === undefined
    ? `No connection reads official transcripts of ${PROVIDER_NAMES[kind]}. An admin adds one with \`hansard connection add\``
    : null
}

/** Ends the meetings whose official transcript should have been there by now, with the exact reason. */
export async function endOverdueCaptures(
  db: Db,
  captures: Pick<OfficialCaptures, 'listOverdue' | 'fail'>,
  now: Date,
): Promise<void> {
  for (const capture of await captures.listOverdue(now)) {
    const { reason, detail } = await findOutcome(db, capture)
    await captures.fail(capture.id, reason, detail)
  }
}

type OrganizerRow = {
  connectionId: string
  kind: ConnectionKind
  address: string
  isPaused: boolean
  problem: ProblemCode | null
  detail: string | null
}

/** The organizer is named in the link, or is taken to be the person who started the meeting. */
async function findOutcome(db: Db, capture: WaitingCapture): Promise<Outcome> {
  const { rows: organizers } = await sql<OrganizerRow>`
    select c.id as "connectionId", c.kind, o.address, c.is_paused as "isPaused",
      coalesce(c.problem, o.problem) as problem,
      case when c.problem is null then o.problem_detail else c.problem_detail end as detail
    from connection_organizer o join connection c on c.id = o.connection_id
    where c.kind = ${KINDS[capture.platform] ?? null} and (o.user_id = ${findOrganizerId(capture.url)}
      or o.address = (select lower(email) from app_user where id = ${capture.startedBy}))
    order by c.is_paused, problem nulls first`.execute(db)
  const [organizer] = organizers
  if (organizer === undefined || organizer.isPaused) {
    const detail =
      organizer === undefined
        ? 'No connection lists the person who organizes the meeting'
        : 'The connection of the person who organizes the meeting is paused'
    return { reason: 'no_connection', detail }
  }
  const { problem, kind, detail } = organizer
  if (problem !== null) {
    const { text } = describeProblem(problem, detail, kind)
    return { reason: toReason(problem), detail: text }
  }
  return (await findTranscriptOutcome(db, organizer, capture)) ?? TRANSCRIPTION_OFF
}

const TRANSCRIPTION_OFF: Outcome = {
  reason: 'transcription_off',
  detail: 'The platform has no transcript of this time, so nobody turned on transcription',
}

function toReason(problem: ProblemCode): EndReason {
  if (problem === 'payment_required') return 'transcript_no_licence'
  return NOT_ALLOWED.has(problem) ? 'transcript_not_allowed' : 'transcript_not_ready'
}

/** What became of a transcript of the organizer from that time; null if there is none. */
async function findTranscriptOutcome(
  db: Db,
  { connectionId, address, kind }: OrganizerRow,
  { startedAt, deadline }: WaitingCapture,
): Promise<Outcome | null> {
  const row = await db
    .selectFrom('connection_transcript')
    .select(['state', 'problem', 'problem_detail as detail'])
    .where('connection_id', '=', connectionId)
    .where('organizer', '=', address)
    .where('began_at', '>=', startedAt)
    .where('began_at', '<', deadline)
    .where('state', '<>', 'imported')
    .orderBy('began_at')
    .executeTakeFirst()
  const reason = row && WHY_NOT[row.state]
  if (reason === undefined) return null
  const text = row?.problem ? describeProblem(row.problem, row.detail, kind).text : null
  return { reason, detail: text ?? 'The transcript was found, but could not be read in time' }
}

/** The organizer's id in a classic Teams link; empty if the link has none. */
function findOrganizerId(url: string): string {
  const context = URL.parse(url)?.searchParams.get('context') ?? ''
  return /"Oid":\s*"([0-9a-f-]{36})"/i.exec(context)?.[1] ?? ''
}
