import type { Role } from '../accounts/roles.ts'

/**
 * On whose behalf something is read or changed. `projects` are the only projects of a narrowed token, and of a task that
 * was created with one; null for all.
 * `service`: the instance itself, or a service token. `user`: a person, or a token that acts with a person's rights.
 * `task`: an execution of a task, which uses team projects and the project of the task with the rights of its owner.
 */
export type Viewer = ServiceViewer | UserViewer | TaskViewer

export type ServiceViewer = {
  kind: 'service'
  projects: readonly string[] | null
  isScoped?: IsScopedKey
  /** A token that a removed user left: it edits team projects and uses no private one. */
  isTeamOnly?: boolean
}
export type UserViewer = {
  kind: 'user'
  userId: string
  role: Role
  projects: readonly string[] | null
  isScoped?: IsScopedKey
}
/** Set for an API key with restricted scopes. Such a key never decides who may use a project. */
type IsScopedKey = boolean | undefined
export type TaskViewer = {
  kind: 'task'
  /** Null when the instance owns the task. */
  ownerId: string | null
  project: string | null
  projects: readonly string[] | null
}

/** Reads and changes everything: maintenance, the command line and service tokens without a list of projects. */
export const INSTANCE_VIEWER: Viewer = { kind: 'service', projects: null }

/** Whether this viewer reads and edits all projects. */
export function isUnrestricted(viewer: Viewer): boolean {
  return viewer.kind === 'service' && viewer.projects === null && viewer.isTeamOnly !== true
}

/** The user whose memberships count for this viewer; null when none do. */
export function memberIdOf(viewer: Viewer): string | null {
  if (viewer.kind === 'user') return viewer.userId
  return viewer.kind === 'task' ? viewer.ownerId : null
}
