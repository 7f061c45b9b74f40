import type { Role, Scope } from '../../src/http/shapes/account.ts'

/** What a token may do, in plain words. */
export const SCOPE_LABELS: Record<Scope, { short: string; long: string }> = {
  read: { short: 'read', long: 'Read meetings, transcripts, documents and tasks' },
  meetings: { short: 'meetings', long: 'Start and stop meetings' },
  tasks: { short: 'tasks', long: 'Make, change and run tasks' },
}

export const ROLE_LABELS: Record<Role, string> = { admin: 'Administrator', member: 'Member' }

export function describeScopes(scopes: Scope[] | null): string {
  return scopes ? scopes.map((scope) => SCOPE_LABELS[scope].short).join(', ') : 'everything'
}
