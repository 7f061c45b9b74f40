import type { ShareState } from '../../src/http/shapes/values.ts'

export const SHARE_STATE_LABELS: Readonly<Record<ShareState, string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  made_private: 'Ended: the project was made private',
  moved: 'Ended: the meeting was moved',
  document_removed: 'Ended: the document was removed',
  creator_not_owner: 'Does not open: the person who made it does not own the project any more',
  token_revoked: 'Does not open: the API token that made it was revoked',
}

/** Whether the link opens, or would open again when its creator becomes an owner again. */
export function canRevokeShare(state: ShareState): boolean {
  return state === 'active' || state === 'creator_not_owner'
}
