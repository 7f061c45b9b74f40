import { strict as assert } from 'node:assert'
import type { FastifyRequest } from 'fastify'
import type { UserViewer, Viewer } from '../../../access/viewer.ts'
import type { AuthenticatedSession } from '../../../accounts/sign-in/sessions.ts'
import type { ApiToken } from '../../../accounts/tokens/tokens.ts'

/** A personal token acts with the rights that its creator has now. */
export function toTokenViewer(token: ApiToken): Viewer {
  const { kind, projects, isTeamOnly, creatorId, creatorRole } = token
  const isScoped = token.scopes !== null
  if (kind === 'service') return { kind: 'service', projects, isTeamOnly, isScoped }
  // Verifying the key refuses a personal token without a creator.
  assert(creatorId !== null && creatorRole !== null)
  return { kind: 'user', userId: creatorId, role: creatorRole, projects, isScoped }
}

export function toUserViewer({ user }: AuthenticatedSession): UserViewer {
  return { kind: 'user', userId: user.id, role: user.role, projects: null }
}

/** The viewer of a request to a route that needs an API key or a session. */
export function requireViewer({ viewer }: Pick<FastifyRequest, 'viewer'>): Viewer {
  assert(viewer)
  return viewer
}
