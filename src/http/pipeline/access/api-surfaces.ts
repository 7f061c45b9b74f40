import type { FastifyContextConfig } from 'fastify'
import type { ApiTokenScope } from '../../../accounts/roles.ts'

/** Access rules by what a route does. */
export type SurfaceRule = 'read' | 'change' | 'manage'

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

/** A key under ADMIN_SURFACES needs the rights of an admin. */
const ADMIN_KEY = {
  access: 'key',
  needsAdminKey: true,
  subject: 'instance',
  errorCodes: ['admin_key_needed'],
} as const satisfies FastifyContextConfig
/** Pages that only admins see. */
export const ADMIN_RULE = { access: 'admin', subject: 'instance' } as const

/** For routes that only admins may call. */
export const ADMIN_SURFACES: readonly ApiSurface[] = [
  { prefix: '/api/v1', isConsole: false, ...allowAll(ADMIN_KEY) },
  {
    prefix: '/web',
    isConsole: true,
    ...allowAll({ ...ADMIN_RULE, errorCodes: ADMIN_KEY.errorCodes }),
  },
]

/** The same rule for every route. */
export function allowAll(rule: FastifyContextConfig): Record<SurfaceRule, FastifyContextConfig> {
  return { read: rule, change: rule, manage: rule }
}

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
