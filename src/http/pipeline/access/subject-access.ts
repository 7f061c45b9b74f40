import type { FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { ProjectAction } from '../../../access/rules.ts'
import { requireAccess, type SubjectKind } from '../../../access/subjects.ts'
import type { Db } from '../../../db/database.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { requireViewer } from './caller.ts'

/**
 * What the requests of a route are about. Every route declares it, otherwise the service does not start.
 * `none`: nothing that belongs to a project or user.
 * `own`: only the caller's own account, or what the service asked this caller.
 * `instance`: people and settings, for admins.
 * `list`: things of many projects. The handler passes on the viewer, and the SQL uses the condition of src/access.
 * Otherwise one subject, which is checked before the handler runs.
 */
export type RouteSubject = 'none' | 'own' | 'instance' | 'list' | CheckedSubject

/** The field of the request that names the subject. If it is missing and has no default, nothing is checked. */
export type CheckedSubject = {
  kind: SubjectKind
  action: ProjectAction
  from: 'params' | 'query' | 'body'
  field: string
  default?: string
}

const inPath = (kind: SubjectKind, field: string, action: ProjectAction): CheckedSubject => ({
  kind,
  action,
  from: 'params',
  field,
})

export const MEETING_SUBJECT = {
  read: inPath('meeting', 'meetingId', 'read'),
  edit: inPath('meeting', 'meetingId', 'edit'),
  manage: inPath('meeting', 'meetingId', 'manage'),
  moveOut: inPath('meeting', 'meetingId', 'move_out'),
  /** A list can be limited to this meeting. */
  filter: { kind: 'meeting', action: 'read', from: 'query', field: 'meeting' },
  /** The meeting that a question is about. */
  readInBody: { kind: 'meeting', action: 'read', from: 'body', field: 'meetingId' },
  editInBody: { kind: 'meeting', action: 'edit', from: 'body', field: 'meetingId' },
} as const satisfies Record<string, CheckedSubject>

export const PROJECT_SUBJECT = {
  read: inPath('project', 'projectId', 'read'),
  edit: inPath('project', 'projectId', 'edit'),
  manage: inPath('project', 'projectId', 'manage'),
  /** A question can be limited to this project. */
  readInBody: { kind: 'project', action: 'read', from: 'body', field: 'project' },
  /** The project that a meeting moves to. It is created if it does not exist. */
  moveIn: { kind: 'new_project', action: 'edit', from: 'body', field: 'project' },
  /** A request that creates the project if it does not exist. */
  create: inPath('new_project', 'projectId', 'edit'),
} as const satisfies Record<string, CheckedSubject>

export const TASK_SUBJECT = {
  read: inPath('task', 'name', 'read'),
  edit: inPath('task', 'name', 'edit'),
  /** The project of a new task. A task without a project is closed to a token that is limited to projects. */
  project: { kind: 'new_project', action: 'edit', from: 'body', field: 'project', default: '' },
} as const satisfies Record<string, CheckedSubject>

export const EXECUTION_SUBJECT = inPath('execution', 'executionId', 'read')
export const RECORDING_SUBJECT = {
  read: inPath('recording', 'recordingId', 'read'),
  edit: inPath('recording', 'recordingId', 'edit'),
} as const satisfies Record<string, CheckedSubject>
export const ACTION_ITEM_SUBJECT = inPath('action_item', 'actionId', 'edit')
export const DELIVERY_SUBJECT = inPath('delivery', 'deliveryId', 'read')
export const CALENDAR_SUBJECT = {
  read: inPath('calendar', 'calendarId', 'read'),
  edit: inPath('calendar', 'calendarId', 'edit'),
  /** The project of a new calendar, or a calendar's new project. */
  project: { kind: 'new_project', action: 'edit', from: 'body', field: 'project' },
  /** The task that runs after its meetings. Running a task needs the same right. */
  task: { kind: 'task', action: 'edit', from: 'body', field: 'task' },
} as const satisfies Record<string, CheckedSubject>
export const UPCOMING_SUBJECT = inPath('upcoming', 'upcomingId', 'edit')
export const READ_UPCOMING_SUBJECT = inPath('upcoming', 'upcomingId', 'read')
export const TOKEN_SUBJECT = inPath('token', 'id', 'manage')
/** The token whose secret signs callbacks. */
export const SIGNING_TOKEN_SUBJECT: CheckedSubject = {
  kind: 'token',
  action: 'edit',
  from: 'body',
  field: 'tokenId',
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's requests are about: several subjects if a request names several things. */
    subject?: RouteSubject | readonly RouteSubject[]
  }
  interface FastifyInstance {
    /** Every route with its declarations. */
    declaredRoutes: readonly RouteOptions[]
  }
}

/**
 * Checks that the viewer may use what the request is about, before each handler and before a saved response is
 * repeated. Returns the check, so that an accepted request can be checked again.
 */
export function enforceSubjectAccess(
  app: FastifyApp,
  { db }: { db: Db },
): (request: FastifyRequest) => Promise<void> {
  const routes: RouteOptions[] = []
  const check = async (request: FastifyRequest) => {
    for (const subject of listSubjects(request.routeOptions.config.subject)) {
      if (typeof subject !== 'object') continue
      const id = readSubjectId(request, subject)
      const { kind, action } = subject
      if (id !== undefined) await requireAccess(db, requireViewer(request), { kind, id, action })
    }
  }

  app.decorate('declaredRoutes', routes)
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const problems = routes.flatMap(findDeclarationProblems)
    if (problems.length > 0) throw new Error(`routes with a wrong subject: ${problems.join(', ')}`)
  })
  app.addHook('preHandler', check)
  return check
}

export function listSubjects(
  subject: RouteSubject | readonly RouteSubject[] | undefined,
): readonly RouteSubject[] {
  if (subject === undefined) return []
  return Array.isArray(subject) ? (subject as readonly RouteSubject[]) : [subject as RouteSubject]
}

function readSubjectId(
  { params, query, body }: FastifyRequest,
  { from, field, default: defaultId }: CheckedSubject,
): string | undefined {
  const source = { params, query, body }[from] as Record<string, unknown> | null | undefined
  const id = source?.[field] ?? defaultId
  return typeof id === 'string' ? id : undefined
}

/** Routes without authentication have no viewer, and only admins reach what belongs to the instance. */
function findDeclarationProblems({ url, method, config, schema }: RouteOptions): string[] {
  const subjects = listSubjects(config?.subject)
  const name = `${String(method)} ${url}`
  if (subjects.length === 0) return [`${name} (none declared)`]
  const isOpen = config?.access === 'open' || config?.access === 'same_site'
  const isForAdmins =
    config?.access === 'admin' ||
    config?.access === 'provisioning' ||
    config?.needsAdminKey === true
  return subjects.flatMap((subject) => {
    if (isOpen && subject !== 'none') return [`${name} (open to everyone)`]
    if (isForAdmins !== (subject === 'instance')) return [`${name} (instance is for admins)`]
    if (typeof subject !== 'object') return []
    const { from, field } = subject
    return hasField(from, field, url, schema) ? [] : [`${name} (no field ${field} in its ${from})`]
  })
}

/** A misspelt field would never be checked. */
function hasField(
  from: CheckedSubject['from'],
  field: string,
  url: string,
  schema: RouteOptions['schema'],
): boolean {
  if (from === 'params') return url.split('/').includes(`:${field}`)
  const declared = schema?.[from === 'query' ? 'querystring' : 'body']
  return declared instanceof z.ZodObject && field in declared.shape
}
