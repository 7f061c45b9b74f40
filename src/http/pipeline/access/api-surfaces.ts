import type { FastifyContextConfig } from 'fastify'
import type { Scope } from '../../../accounts/roles.ts'

/** A way to the areas. What a door leads to is written once and registered behind each of them. */
export type ApiSurface = {
  prefix: string
  /** Who may look. */
  read: FastifyContextConfig
  /** Who may begin, end or send something. */
  change: FastifyContextConfig
}

/** Programs come with a key, pages of the console with a session. */
function createSurfaces(read: readonly Scope[], change: readonly Scope[]) {
  return {
    publicApi: {
      prefix: '/api/v1',
      read: { access: 'key', scopes: read },
      change: { access: 'key', scopes: change },
    },
    consoleApi: { prefix: '/web', read: { access: 'session' }, change: { access: 'session' } },
  } as const satisfies Record<string, ApiSurface>
}

export const SURFACES = createSurfaces(['read', 'meetings'], ['meetings'])
/** What tasks do, for which keys have a scope of their own. */
export const TASK_SURFACES = createSurfaces(['read', 'tasks'], ['tasks'])
/** Whoever fills projects, with transcripts or results, may read all of them and file knowledge too. */
export const PROJECT_SURFACES = createSurfaces(['read', 'meetings', 'tasks'], ['meetings', 'tasks'])
