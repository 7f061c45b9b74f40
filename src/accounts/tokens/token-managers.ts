import { ServiceError } from '../../errors.ts'
import { COMMAND_LINE_ACTOR, type Actor } from '../audit.ts'
import type { User } from '../users/users.ts'
import type { ApiToken } from './token-store.ts'

/** Who rotates or revokes a token. `user` is null for the command line, which may change every token. */
export type TokenManager = Actor & { user: Pick<User, 'id' | 'role'> | null }

export const COMMAND_LINE_TOKEN_MANAGER: TokenManager = { ...COMMAND_LINE_ACTOR, user: null }

/** The user who created a token and admins may rotate and revoke it; a token without a creator only admins. */
export function canManageToken(
  { creatorId }: Pick<ApiToken, 'creatorId'>,
  user: TokenManager['user'],
): boolean {
  return user === null || user.role === 'admin' || user.id === creatorId
}

export function refuseOtherUsersToken(token: ApiToken, { user }: TokenManager): void {
  if (canManageToken(token, user)) return
  throw new ServiceError('forbidden', {
    hint: 'Only the user who created this token and admins can rotate or revoke it',
  })
}
