import type { FastifyContextConfig } from 'fastify'
import type { ApiTokenScope } from '../../../accounts/roles.ts'

/** The public API or the console API: a path prefix with access rules. Routes of both are written once. */
export type ApiSurface = {
  prefix: string
  isConsole: boolean
  /** Access rule of routes that read. */
  read: FastifyContextConfig
  /** Access rule of routes that change something. */
  change: FastifyContextConfig
  /**
   * Access rule of routes that change who may use a project. It has no scopes, because the access check refuses every
   * key with restricted scopes.
   */
  manage: FastifyContextConfig
}

/** Like ApiSurface, for routes that only admins may call. */
export type AdminSurface = Pick<ApiSurface, 'prefix' | 'read'>

export const ADMIN_SURFACES: readonly AdminSurface[] = [
  { prefix: '/api/v1', read: { access: 'key', needsAdminKey: true, subject: 'instance' } },
  { prefix: '/web', read: { access: 'admin', subject: 'instance' } },
]

/** Programs use the public API with an API key. The console uses its own routes with a session. */
function createSurfaces(read: readonly ApiTokenScope[], change: readonly ApiTokenScope[]) {
  return {
    publicApi: {
      prefix: '/api/v1',
      isConsole: false,
      read: { access: 'key', scopes: read },
      change: { access: 'key', scopes: change },
      manage: { access: 'key' },
    },
    consoleApi: {
      prefix: '/web',
      isConsole: true,
      read: { access: 'session' },
      change: { access: 'session' },
      manage: { access: 'session' },
    },
  } as const satisfies Record<string, ApiSurface>
}

export const MEETING_SURFACES = createSurfaces(['read', 'meetings'], ['meetings'])
/** The surfaces of tasks, which have the scope `tasks`. */
export const TASK_SURFACES = createSurfaces(['read', 'tasks'], ['tasks'])
/** A key that may start meetings or run tasks writes into projects, so it may also read and change their documents. */
export const PROJECT_SURFACES = createSurfaces(['read', 'meetings', 'tasks'], ['meetings', 'tasks'])
