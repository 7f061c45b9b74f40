import type { Role } from '../accounts/roles.ts'

/**
 * On whose behalf something is read or changed. `projects` limits a token to these projects, and also a task that such
 * a token created. Null for all.
 * `service`: the instance itself, or a service token.
 * `user`: a person, or a token that acts with a person's rights.
 * `task`: an execution of a task, which uses team projects and the task's project with its owner's rights.
 */
export type Viewer = ServiceViewer | UserViewer | TaskViewer

export type ServiceViewer = {
  kind: 'service'
  projects: readonly string[] | null
  isScoped?: IsScopedKey
  /** A token that a removed user left. It edits team projects and uses no private ones. */
  isTeamOnly?: boolean
}
export type UserViewer = {
  kind: 'user'
  userId: string
  role: Role
  projects: readonly string[] | null
  isScoped?: IsScopedKey
}
/** Set for an API key with restricted scopes. Such a key can't decide who may use a project. */
type IsScopedKey = boolean | undefined
export type TaskViewer = {
  kind: 'task'
  /** Null if the instance owns the task. */
  ownerId: string | null
  project: string | null
  projects: readonly string[] | null
}

/** Reads and changes everything: maintenance, the command line and service tokens that are not limited to projects. */
export const INSTANCE_VIEWER: Viewer = { kind: 'service', projects: null }

/** True if this viewer reads and edits all projects. */
export function isUnrestricted(viewer: Viewer): boolean {
  return viewer.kind === 'service' && viewer.projects === null && viewer.isTeamOnly !== true
}

/** The user whose memberships apply to this viewer. Null if none do. */
export function memberIdOf(viewer: Viewer): string | null {
  if (viewer.kind === 'user') return viewer.userId
  return viewer.kind === 'task' ? viewer.ownerId : null
}
