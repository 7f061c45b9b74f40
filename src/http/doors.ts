import type { FastifyContextConfig } from 'fastify'

/** A way to the areas. What a door leads to is written once and registered behind each of them. */
export type Door = {
  prefix: string
  /** Who may look. */
  read: FastifyContextConfig
  /** Who may begin, end or send something. */
  change: FastifyContextConfig
}

export const DOORS = {
  /** Programs, with a key. */
  programs: {
    prefix: '/api/v1',
    read: { access: 'key', scopes: ['read', 'meetings'] },
    change: { access: 'key', scopes: ['meetings'] },
  },
  /** Pages of the console, with a session. */
  people: { prefix: '/web', read: { access: 'session' }, change: { access: 'session' } },
} as const satisfies Record<string, Door>
