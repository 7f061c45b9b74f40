import type { ShareState } from '../../src/http/shapes/values.ts'

export const SHARE_STATE_LABELS: Readonly<Record<ShareState, string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  made_private: 'Ended: the project was made private',
  moved: 'Ended: the meeting was moved',
  document_removed: 'Ended: the document was removed',
  creator_not_owner: 'Ended: the person who created it no longer owns the project',
  token_revoked: 'Ended: the API token that created it was revoked',
}

/** True if the link opens, or would open again if its creator became an owner again. */
export function canRevokeShare(state: ShareState): boolean {
  return state === 'active' || state === 'creator_not_owner'
}
