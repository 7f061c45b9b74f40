import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { ServiceError, type ErrorCode } from '../errors.ts'
import { creationMsOfOrderedId } from '../lib/crypto.ts'
import { isSourceUnknown, selectProjectOfSource } from './project-condition.ts'
import { hasProject, isTwinOfProject } from './registered-projects.ts'
import {
  allowsInstanceAction,
  decideCalendarAccess,
  decideProjectAccess,
  decideTokenAccess,
  canBeRefusedToScopedKeys,
  isScopedKey,
  type AccessDecision,
  type InstanceAction,
  type ProjectAction,
  type ProjectFacts,
} from './rules.ts'
import { isUnrestricted, memberIdOf, type Viewer } from './viewer.ts'

/** What a request can be about. `new_project`: a project that the request may create. */
export const SUBJECT_KINDS = [
  'project',
  'new_project',
  'meeting',
  'action_item',
  'delivery',
  'task',
  'execution',
  'token',
  'calendar',
  'upcoming',
  'recording',
] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]
/** Subjects that belong to a person or to the instance, so reading all projects is not enough to use them. */
type OwnedSubjectKind = 'calendar' | 'upcoming'
type ProjectSubjectKind = Exclude<SubjectKind, 'token' | OwnedSubjectKind>

/** The id of a request's subject, and the action. */
export type SubjectRef = { kind: SubjectKind; id: string; action: ProjectAction }

/** For each kind, a query for the subject's projects. The viewer needs access to all. No row if it does not exist. */
const PROJECT_QUERIES: Readonly<Record<ProjectSubjectKind, (id: string) => RawBuilder<unknown>>> = {
  project: (id) => sql`select ${id}::text as project where ${hasProject(id)}`,
  new_project: (id) => sql`select ${id}::text as project where not ${isTwinOfProject(id)}`,
  meeting: (id) => sql`select project from meeting where id = ${id}`,
  action_item: (id) => sql`select m.project from action_item i join meeting m on m.id = i.meeting_id
    where i.id = ${id}`,
  recording: (id) => sql`select project from recording where id = ${id}`,
  delivery: selectProjectOfDelivery,
  task: (id) => sql`select project from task where name = ${id}`,
  execution: (id) => sql`select t.project from execution e join task t on t.id = e.task_id
    where e.id = ${id} and not ${isSourceUnknown('e')}
    union all select source.project
    from execution e cross join lateral (${selectProjectOfSource('e')}) as source where e.id = ${id}`,
}

/** The error for a subject that does not exist or may not be seen. */
export const NOT_FOUND_CODES = {
  project: 'project_not_found',
  new_project: 'project_not_found',
  meeting: 'meeting_not_found',
  action_item: 'action_not_found',
  delivery: 'delivery_not_kept',
  task: 'task_not_found',
  execution: 'execution_not_found',
  token: 'token_not_found',
  calendar: 'calendar_not_found',
  upcoming: 'upcoming_not_found',
  recording: 'recording_not_found',
} as const satisfies Record<SubjectKind, ErrorCode>

/** Errors whose text contains the name or id of the subject. */
const NOT_FOUND_ERRORS: Partial<Record<SubjectKind, (id: string) => ServiceError>> = {
  task: taskNotFoundError,
  execution: executionNotFoundError,
}

/** Throws unless the viewer may do this. Hidden and missing things take the same path: one query and one error. */
export async function requireAccess(db: Db, viewer: Viewer, subject: SubjectRef): Promise<void> {
  const isScoped = isScopedKey(viewer) && canBeRefusedToScopedKeys(subject.action)
  if (isUnrestricted(viewer) && !isScoped && !isOwnedKind(subject.kind)) return
  const decision = await decideAccess(db, viewer, subject)
  const { kind, id } = subject
  if (decision === 'hidden')
    throw NOT_FOUND_ERRORS[kind]?.(id) ?? new ServiceError(NOT_FOUND_CODES[kind])
  if (decision === 'forbidden') throw new ServiceError('forbidden')
  if (decision === 'scoped_key') throw new ServiceError('missing_scope', { hint: SCOPED_KEY_HINT })
}

const SCOPED_KEY_HINT =
  'Use an API key without restricted scopes: no scope allows changing who may use a project'

/** True if the viewer may do this. */
export async function mayAccess(db: Db, viewer: Viewer, subject: SubjectRef): Promise<boolean> {
  return (await decideAccess(db, viewer, subject)) === 'allowed'
}

export function requireInstanceAccess(viewer: Viewer, action: InstanceAction): void {
  if (!allowsInstanceAction(viewer, action)) throw new ServiceError('forbidden')
}

async function decideAccess(
  db: Db,
  viewer: Viewer,
  { kind, id, action }: SubjectRef,
): Promise<AccessDecision> {
  if (kind === 'token') return decideForToken(db, viewer, { id, action })
  if (kind === 'calendar') return decideForCalendar(db, viewer, sql`c.id = ${id}`)
  if (kind === 'upcoming') return decideForUpcoming(db, viewer, { id, action })
  const { rows } = await sql<ProjectFacts>`
    select s.project, coalesce(pa.access, 'team') as access, pm.role as "memberRole"
    from (${PROJECT_QUERIES[kind](id)}) s left join project_access pa on pa.project = s.project
      left join project_member pm on pm.project = s.project and pm.user_id = ${memberIdOf(viewer)}`.execute(
    db,
  )
  if (rows.length === 0) return 'hidden'
  const decisions = new Set(rows.map((facts) => decideProjectAccess(viewer, action, facts)))
  return REFUSALS.find((refusal) => decisions.has(refusal)) ?? 'allowed'
}

/** For several projects, the strictest decision applies. */
const REFUSALS: readonly AccessDecision[] = ['hidden', 'forbidden', 'scoped_key']

async function decideForToken(
  db: Db,
  viewer: Viewer,
  { id, action }: Pick<SubjectRef, 'id' | 'action'>,
): Promise<AccessDecision> {
  const token = await db
    .selectFrom('api_token')
    .select(['created_by as creatorId', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst()
  return token === undefined ? 'hidden' : decideTokenAccess(viewer, token, action)
}

function isOwnedKind(kind: SubjectKind): boolean {
  return kind === 'calendar' || kind === 'upcoming'
}

/** An upcoming meeting is an occurrence of a calendar, or a meeting that was scheduled without one. */
async function decideForUpcoming(
  db: Db,
  viewer: Viewer,
  { id, action }: Pick<SubjectRef, 'id' | 'action'>,
): Promise<AccessDecision> {
  return id.startsWith(OCCURRENCE_ID_PREFIX)
    ? decideForCalendar(
        db,
        viewer,
        sql`c.id = (select calendar_id from occurrence where id = ${id})`,
      )
    : decideAccess(db, viewer, { kind: 'meeting', id, action })
}

const OCCURRENCE_ID_PREFIX = 'occ_'

async function decideForCalendar(
  db: Db,
  viewer: Viewer,
  isSubject: RawBuilder<unknown>,
): Promise<AccessDecision> {
  const { rows } = await sql<ProjectFacts & { ownerId: string | null }>`
    select c.user_id as "ownerId", c.project, coalesce(pa.access, 'team') as access,
      null as "memberRole"
    from calendar c left join project_access pa on pa.project = c.project
    where ${isSubject}`.execute(db)
  const [calendar] = rows
  return calendar === undefined ? 'hidden' : decideCalendarAccess(viewer, calendar)
}

/** An attempt's start and the time in its delivery id differ by at most this. */
const ID_TIME_TOLERANCE_MS = 60_000

/** Attempts are indexed by start time, which the id contains too. */
function selectProjectOfDelivery(id: string): RawBuilder<unknown> {
  const createdAt = creationMsOfOrderedId(id) ?? 0
  return sql`select m.project from delivery_attempt a join meeting m on m.id = a.meeting_id
    where a.started_at >= ${new Date(createdAt - ID_TIME_TOLERANCE_MS)}
      and a.started_at <= ${new Date(createdAt + ID_TIME_TOLERANCE_MS)} and a.id = ${id}`
}

/** Errors for missing things. Hidden things get the same error. */
export function taskNotFoundError(name: string): ServiceError {
  return new ServiceError('task_not_found', { text: `Task not found: ${name.slice(0, 64)}` })
}

export function executionNotFoundError(id: string): ServiceError {
  return new ServiceError('execution_not_found', {
    text: `Execution not found: ${id.slice(0, 64)}`,
  })
}
