/** What a signed-in user may do. Only an admin can invite and remove users. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** What an API key may do; a key without scopes may do everything. */
export const SCOPES = ['read', 'meetings', 'tasks'] as const
export type Scope = (typeof SCOPES)[number]
