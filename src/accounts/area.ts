import type { Clock } from '../lib/time/clock.ts'
import type { SecretBox } from '../lib/crypto/secret-box.ts'
import type { Log } from '../log.ts'
import type { Db } from '../db/database.ts'
import { createAccounts, type Accounts } from './accounts.ts'
import {
  createInvitations,
  deleteExpiredInvitations,
  type Invitations,
} from './users/invitations.ts'
import { createKnownDevices } from './sign-in/known-device.ts'
import { createPasswordHasher, type PasswordHasher } from './sign-in/passwords.ts'
import { createUserRemoval, type RemoveUser } from './users/user-removal.ts'
import {
  createSecretRotation,
  activateDueAndDeleteExpiredSecrets,
  type TwoStepSecretRotation,
} from './tokens/secret-rotation.ts'
import { createSessions, deleteExpiredSessions, type Sessions } from './sign-in/sessions.ts'
import { createSignInThrottle, deleteOldSignInFailures } from './sign-in/sign-in-throttle.ts'
import { createApiTokens, type ApiTokens } from './tokens/tokens.ts'
import { createUsers, type Users } from './users/users.ts'

export type AccountsArea = {
  accounts: Accounts
  users: Users
  removeUser: RemoveUser
  sessions: Sessions
  invitations: Invitations
  tokens: ApiTokens
  rotation: TwoStepSecretRotation
}

/** Creates everything in the accounts area, for the service and for the command line. */
export function createAccountsArea(parts: {
  db: Db
  clock: Clock
  secretBox: SecretBox
  log: Log
  passwords?: PasswordHasher | undefined
}): AccountsArea {
  const { passwords = createPasswordHasher() } = parts
  const throttle = createSignInThrottle(parts)
  const users = createUsers({ ...parts, passwords })
  const sessions = createSessions(parts)
  const invitations = createInvitations(parts)
  const tokens = createApiTokens(parts)
  const rotation = createSecretRotation(parts)
  const removeUser = createUserRemoval({ ...parts, tokens })
  const knownDevices = createKnownDevices(parts.secretBox)
  const signIn = { passwords, throttle, knownDevices }
  const accounts = createAccounts({ ...parts, users, sessions, invitations, ...signIn })
  return { accounts, users, removeUser, sessions, invitations, tokens, rotation }
}

export const ACCOUNT_MAINTENANCE_JOBS: ReadonlyArray<{
  name: string
  run(db: Db, now: Date): Promise<void>
}> = [
  { name: 'sessions', run: deleteExpiredSessions },
  { name: 'invitations', run: deleteExpiredInvitations },
  { name: 'sign-in failures', run: deleteOldSignInFailures },
  { name: 'signing secrets', run: activateDueAndDeleteExpiredSecrets },
]
