import type { FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { requireAccess } from '../../../access/subjects.ts'
import type { Db } from '../../../db/database.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { requireViewer } from './request-viewer.ts'
import type { CheckedSubject, RouteSubject } from './route-subjects.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the requests of the route are about; several when the request names several things. */
    subject?: RouteSubject | readonly RouteSubject[]
  }
  interface FastifyInstance {
    /** Every route with what it declares. */
    declaredRoutes: readonly RouteOptions[]
  }
}

/**
 * Checks before each handler, and before a saved response is repeated, that the viewer may use what the request is
 * about. Returns the check, so that an accepted request can be checked again.
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

/** The routes that need no caller have no viewer, and only admins reach what belongs to the instance. */
function findDeclarationProblems({ url, method, config, schema }: RouteOptions): string[] {
  const subjects = listSubjects(config?.subject)
  const name = `${String(method)} ${url}`
  if (subjects.length === 0) return [`${name} (none declared)`]
  const isOpen = config?.access === 'open' || config?.access === 'same_site'
  const isForAdmins = config?.access === 'admin' || config?.needsAdminKey === true
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
