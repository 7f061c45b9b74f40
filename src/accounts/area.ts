import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Log } from '../log.ts'
import type { Db } from '../db/open.ts'
import { createAccounts, type Accounts } from './accounts.ts'
import { createInvitations, forgetInvitations, type Invitations } from './invitations.ts'
import { createPasswords } from './passwords.ts'
import { createRemoval, type RemoveUser } from './removal.ts'
import { createSecretRotation, settleSecrets, type SecretRotation } from './secret-rotation.ts'
import { createSessions, forgetSessions, type Sessions } from './sessions.ts'
import { createThrottle, forgetFailures } from './throttle.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createUsers, type Users } from './users.ts'

export type AccountsArea = {
  accounts: Accounts
  users: Users
  removeUser: RemoveUser
  sessions: Sessions
  invitations: Invitations
  tokens: Tokens
  rotation: SecretRotation
}

/** The parts of the account area, put together for the service and for the command line. */
export function createAccountsArea(parts: {
  db: Db
  clock: Clock
  secretBox: SecretBox
  log: Log
}): AccountsArea {
  const passwords = createPasswords()
  const throttle = createThrottle(parts)
  const users = createUsers({ ...parts, passwords })
  const sessions = createSessions(parts)
  const invitations = createInvitations(parts)
  const tokens = createTokens(parts)
  const rotation = createSecretRotation(parts)
  const removeUser = createRemoval({ ...parts, tokens })
  const accounts = createAccounts({ ...parts, users, sessions, invitations, passwords, throttle })
  return { accounts, users, removeUser, sessions, invitations, tokens, rotation }
}

export const ACCOUNT_CHORES: ReadonlyArray<{
  name: string
  run(db: Db, now: Date): Promise<void>
}> = [
  { name: 'sessions', run: forgetSessions },
  { name: 'invitations', run: forgetInvitations },
  { name: 'sign-in failures', run: forgetFailures },
  { name: 'signing secrets', run: settleSecrets },
]
