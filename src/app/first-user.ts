import type { AccountsArea } from '../accounts/area.ts'
import { COMMAND_LINE } from '../accounts/audit.ts'
import { passwordProblem } from '../accounts/sign-in/password-rules.ts'
import type { Config } from '../config/config.ts'
import { readOperatorFile } from '../storage/data-folder.ts'
import { OperatorError } from '../errors.ts'

/** Makes the user that the settings name, unless there is one. Several nodes may do it at once. */
export async function createConfiguredUser(
  config: Config,
  { accounts, users }: AccountsArea,
): Promise<void> {
  const { adminEmail, adminPasswordFile } = config
  if (adminEmail === undefined || adminPasswordFile === undefined || (await users.count()) > 0)
    return
  const password = readOperatorFile('HANSARD_ADMIN_PASSWORD_FILE', adminPasswordFile)
  const problem = await passwordProblem(password)
  if (problem !== null)
    throw new OperatorError(`HANSARD_ADMIN_PASSWORD_FILE: the password in it ${problem}`)
  await accounts.createFirstUser(
    { email: adminEmail, name: adminEmail, password, role: 'admin' },
    COMMAND_LINE,
  )
}

/** A link for the first user; null once there is one. */
export async function createSetupLink(
  { users, invitations }: AccountsArea,
  baseUrl: string,
): Promise<string | null> {
  if ((await users.count()) > 0) return null
  const { code } = await invitations.createSetupLink()
  return `${baseUrl}/setup#${code}`
}
