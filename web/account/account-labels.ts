import {
  type ApiTokenKind,
  type ApiTokenScope,
  ROLES,
  type Role,
} from '../../src/http/shapes/values.ts'

/** What each scope of an API token allows. */
export const SCOPE_LABELS: Record<ApiTokenScope, { short: string; long: string }> = {
  read: { short: 'read', long: 'Read meetings, transcripts, documents and tasks' },
  meetings: { short: 'meetings', long: 'Start and stop meetings' },
  tasks: { short: 'tasks', long: 'Create, edit and run tasks' },
}

/** What a person can allow an assistant. */
export const ASSISTANT_ACCESS_LABELS = {
  read: {
    label: 'Read',
    description: 'Search and read meetings, transcripts, recaps, documents and tasks',
  },
  write: {
    label: 'Read and write',
    description: 'Also start and stop meetings, change recaps and documents, and run tasks',
  },
} as const

export const TOKEN_KIND_LABELS: Record<ApiTokenKind, { short: string; long: string }> = {
  personal: {
    short: 'Personal',
    long: 'Personal: has the same access as you, and stops working when your account is removed',
  },
  service: {
    short: 'Service',
    long: 'Service: can use all projects, including private ones, and keeps working when your account is removed',
  },
}

export const ROLE_LABELS: Record<Role, string> = { admin: 'Administrator', member: 'Member' }

/** What each role allows, for the invitation form. */
const ROLE_DESCRIPTIONS: Record<Role, string> = {
  admin: 'Administrator: can also invite and remove people and manage the system',
  member: 'Member: can use meetings, tasks and projects',
}

export function describeScopes(scopes: ApiTokenScope[] | null): string {
  return scopes ? scopes.map((scope) => SCOPE_LABELS[scope].short).join(', ') : 'all'
}

/** The roles with what each allows, the usual one first. */
export const ROLE_OPTIONS = ROLES.toReversed().map((value) => ({
  value,
  label: ROLE_DESCRIPTIONS[value],
}))
