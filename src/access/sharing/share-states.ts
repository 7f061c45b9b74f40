/** Why a link was ended before it expired. */
export const SHARE_END_REASONS = ['revoked', 'made_private', 'moved', 'document_removed'] as const
export type ShareEndReason = (typeof SHARE_END_REASONS)[number]

/**
 * `creator_not_owner`: the link does not open while its creator may not share this project. `token_revoked`: the link
 * does not open because the API token that created it was revoked.
 */
export const SHARE_STATES = [
  'active',
  'expired',
  ...SHARE_END_REASONS,
  'creator_not_owner',
  'token_revoked',
] as const
export type ShareState = (typeof SHARE_STATES)[number]
