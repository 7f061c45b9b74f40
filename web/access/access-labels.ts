import type { MemberRole, ProjectAccess } from '../../src/http/shapes/values.ts'

export const PROJECT_ACCESS_LABELS: Readonly<Record<ProjectAccess, string>> = {
  team: 'Team',
  private: 'Private',
}

export const MEMBER_ROLE_LABELS: Readonly<Record<MemberRole, string>> = {
  reader: 'Reader',
  editor: 'Editor',
  owner: 'Owner',
}

/** What each role in a project allows. */
export const MEMBER_ROLE_DESCRIPTIONS: Readonly<Record<MemberRole, string>> = {
  reader: 'Reader: can read everything in the project',
  editor: 'Editor: can also start meetings, and change documents, recaps and tasks',
  owner: 'Owner: can also manage access and share links',
}

export const MEMBER_ROLE_OPTIONS = Object.entries(MEMBER_ROLE_LABELS).map(([value, label]) => ({
  value,
  label,
}))

/** Names as a person would write them: "Ada, Bob and Eve". If there are many, the last ones are only counted. */
export function formatNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, names.length > most ? most - 1 : most)
  const rest = names.length - shown.length
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown
  const [last = ''] = parts.slice(-1)
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
