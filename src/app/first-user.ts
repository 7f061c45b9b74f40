import type { AccountsArea } from '../accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../accounts/audit.ts'
import { findPasswordProblem } from '../accounts/sign-in/password-rules.ts'
import type { Config } from '../config/config.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'
import { OperatorError } from '../errors.ts'

/** Creates the admin named in the settings, unless a user exists. Several nodes may do this concurrently. */
export async function createFirstAdminFromConfig(
  config: Config,
  { accounts, users }: AccountsArea,
): Promise<void> {
  const { adminEmail, adminPasswordFile } = config
  if (adminEmail === undefined || adminPasswordFile === undefined || (await users.count()) > 0)
    return
  const password = readFileOrStdin('HANSARD_ADMIN_PASSWORD_FILE', adminPasswordFile)
  const problem = await findPasswordProblem(password)
  if (problem !== null)
    throw new OperatorError(`HANSARD_ADMIN_PASSWORD_FILE: the password in it ${problem}`)
  await accounts.createFirstUser(
    { email: adminEmail, name: adminEmail, password, role: 'admin' },
    COMMAND_LINE_ACTOR,
  )
}

/** The link for creating the first user; null when a user exists. */
export async function createSetupLinkIfNoUsers(
  { users, invitations }: AccountsArea,
  baseUrl: string,
): Promise<string | null> {
  if ((await users.count()) > 0) return null
  const { code } = await invitations.createSetupLink()
  return `${baseUrl}/setup#${code}`
}
