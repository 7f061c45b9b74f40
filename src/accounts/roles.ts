/** What a signed-in user may do. Only admins can invite and remove users. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** `service`: acts for the instance. `personal`: acts with its creator's rights. */
export const API_TOKEN_KINDS = ['service', 'personal'] as const
export type ApiTokenKind = (typeof API_TOKEN_KINDS)[number]

/** What an API key may do. A key without scopes may do everything. */
export const API_TOKEN_SCOPES = ['read', 'meetings', 'tasks'] as const
export type ApiTokenScope = (typeof API_TOKEN_SCOPES)[number]
