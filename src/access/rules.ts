import type { ApiTokenKind, Role } from '../accounts/roles.ts'
import { isUnrestricted, type Viewer } from './viewer.ts'

/** `team`: every user of the instance uses the project. `private`: only its members do. */
export const PROJECT_ACCESS_LEVELS = ['team', 'private'] as const
export type ProjectAccess = (typeof PROJECT_ACCESS_LEVELS)[number]

export const MEMBER_ROLES = ['reader', 'editor', 'owner'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/**
 * What a group can be in a project. Not an owner: a private project needs an owner, and the identity provider can remove
 * every member of a group at any time.
 */
export const GROUP_ROLES = ['reader', 'editor'] as const
export type GroupRole = (typeof GROUP_ROLES)[number]

/** A viewer's relation to a project. */
export type Relation = 'none' | MemberRole

/**
 * `read`: see the project and everything in it.
 * `edit`: start, stop and remove meetings, move meetings into the project, write documents, change recaps, action items
 * and tasks.
 * `manage`: change access, members and share links.
 * `move_out`: move a meeting to another project.
 */
export type ProjectAction = RoleAction | 'move_out'
export type RoleAction = 'read' | 'edit' | 'manage'

/** The whole table of rights in a project. */
export const ALLOWED_RELATIONS: Readonly<Record<RoleAction, readonly MemberRole[]>> = {
  read: ['reader', 'editor', 'owner'],
  edit: ['editor', 'owner'],
  manage: ['owner'],
}

/** Members of the target project can read a moved meeting, so moving it out of a private project is like sharing it. */
const MOVING_OUT_NEEDS: Readonly<Record<ProjectAccess, RoleAction>> = {
  team: 'edit',
  private: 'manage',
}

/** The relation of a user without a role to a team project. */
const TEAM_RELATION: Readonly<Record<Role, MemberRole>> = { admin: 'owner', member: 'editor' }

/** The relation of a token that a removed user left: that of a member who was added to no private project. */
const TEAM_ONLY_RELATION: Readonly<Record<ProjectAccess, Relation>> = {
  team: TEAM_RELATION.member,
  private: 'none',
}

/** What the database knows about a project and a viewer. */
export type ProjectFacts = {
  /** Null for a task without a project. It is treated like a team project that is in no list. */
  project: string | null
  access: ProjectAccess
  /** The viewer's role in the project. Null if the user is not a member. */
  memberRole: MemberRole | null
}

export function findRelation(
  viewer: Viewer,
  { project, access, memberRole }: ProjectFacts,
): Relation {
  if (viewer.projects !== null && !viewer.projects.includes(project ?? '')) return 'none'
  if (viewer.kind === 'task') return findRelationOfTask(viewer, project, access, memberRole)
  if (viewer.kind === 'service') return viewer.isTeamOnly ? TEAM_ONLY_RELATION[access] : 'owner'
  // Also for admins, who see a private project only after they have added themselves.
  if (access === 'private') return memberRole ?? 'none'
  return memberRole === 'owner' ? 'owner' : TEAM_RELATION[viewer.role]
}

/** Everyone who sees the task sees its results, so it must not use other private projects of its owner. */
function findRelationOfTask(
  { ownerId, project: ownProject }: { ownerId: string | null; project: string | null },
  project: string | null,
  access: ProjectAccess,
  memberRole: MemberRole | null,
): Relation {
  if (access === 'team') return 'editor'
  if (project !== ownProject) return 'none'
  return ownerId === null ? 'editor' : (memberRole ?? 'none')
}

/**
 * `hidden` must look exactly as if the subject did not exist. `scoped_key`: the same caller may do it, but not with an
 * API key that has restricted scopes.
 */
export type AccessDecision = 'allowed' | 'forbidden' | 'hidden' | 'scoped_key'

export function decideProjectAccess(
  viewer: Viewer,
  action: ProjectAction,
  facts: ProjectFacts,
): AccessDecision {
  const relation = findRelation(viewer, facts)
  if (relation === 'none') return 'hidden'
  const needed = action === 'move_out' ? MOVING_OUT_NEEDS[facts.access] : action
  if (!ALLOWED_RELATIONS[needed].includes(relation)) return 'forbidden'
  return needed === 'manage' && isScopedKey(viewer) ? 'scoped_key' : 'allowed'
}

/** True for an API key with restricted scopes. */
export function isScopedKey(viewer: Viewer): boolean {
  return viewer.kind !== 'task' && viewer.isScoped === true
}

/** No scope allows this: a key for meetings or tasks must not open a private project or publish its content. */
export function canBeRefusedToScopedKeys(action: ProjectAction): boolean {
  return action === 'manage' || action === 'move_out'
}

/**
 * A personal token is seen and changed by its creator and by admins, a service token only by admins, because it has
 * rights that its creator loses with the role. `edit` chooses the token that signs callbacks. Not even an admin signs
 * in another person's name.
 */
export function decideTokenAccess(
  viewer: Viewer,
  { creatorId, kind }: { creatorId: string | null; kind: ApiTokenKind },
  action: ProjectAction,
): AccessDecision {
  if (viewer.kind !== 'user') return viewer.kind === 'service' ? 'allowed' : 'hidden'
  const isOwn = kind === 'personal' && viewer.userId === creatorId
  const isForAdmins = kind === 'service' || action !== 'edit'
  return isOwn || (viewer.role === 'admin' && isForAdmins) ? 'allowed' : 'hidden'
}

/**
 * A person uses only their own calendars, even in projects that they may no longer use, because otherwise they could
 * not repair or remove them. A service token uses those of the instance. A token that is limited to projects uses those
 * of its projects.
 */
export function decideCalendarAccess(
  viewer: Viewer,
  { ownerId, ...facts }: ProjectFacts & { ownerId: string | null },
): AccessDecision {
  if (viewer.kind === 'task') return 'hidden'
  const isInProjects = viewer.projects === null || viewer.projects.includes(facts.project ?? '')
  const isOwn =
    viewer.kind === 'user'
      ? ownerId === viewer.userId
      : ownerId === null && findRelation(viewer, facts) !== 'none'
  return isOwn && isInProjects ? 'allowed' : 'hidden'
}

/** Actions that belong to no project. Routes for admins have already refused other viewers. */
export type InstanceAction = 'create_service_token' | 'read_metrics'

/** For each action, the roles that may do it, and whether a service token may. Tokens limited to projects never may. */
const INSTANCE_RIGHTS: Readonly<
  Record<InstanceAction, { roles: readonly Role[]; hasService: boolean }>
> = {
  create_service_token: { roles: ['admin'], hasService: false },
  // Totals of the instance include private projects.
  read_metrics: { roles: ['admin'], hasService: true },
}

export function allowsInstanceAction(viewer: Viewer, action: InstanceAction): boolean {
  const { roles, hasService } = INSTANCE_RIGHTS[action]
  if (viewer.kind === 'task' || viewer.projects !== null) return false
  return viewer.kind === 'service'
    ? hasService && isUnrestricted(viewer)
    : roles.includes(viewer.role)
}

/** Why a viewer may not change or delete a prompt. */
export const PROMPT_REFUSALS = ['built_in', 'not_author', 'used_by_others'] as const
export type PromptRefusal = (typeof PROMPT_REFUSALS)[number]

export type PromptFacts = {
  /** Shipped with the product and unchanged. */
  isBuiltIn: boolean
  /** Who wrote the current text in the console. Null if unknown, such as after a change by hand. */
  authorId: string | null
  /** True if a task of another person or of the instance uses it. */
  isUsedByOthers: boolean
}

/**
 * Null if the viewer may change the prompt. A prompt runs with the rights of each task that uses it, so members change
 * only prompts that they wrote, and only while no one else's task uses them. Admins change every prompt except the
 * built-in ones.
 */
export function findPromptRefusal(viewer: Viewer, facts: PromptFacts): PromptRefusal | null {
  if (facts.isBuiltIn) return 'built_in'
  if (viewer.kind !== 'user') return isUnrestricted(viewer) ? null : 'not_author'
  if (viewer.role === 'admin') return null
  if (viewer.userId !== facts.authorId) return 'not_author'
  return facts.isUsedByOthers ? 'used_by_others' : null
}
