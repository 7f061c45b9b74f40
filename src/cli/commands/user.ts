import { InvalidArgumentError, type Command } from 'commander'
import type { AccountsArea } from '../../accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../../accounts/audit.ts'
import { ROLES, type Role } from '../../accounts/roles.ts'
import type { ChangeUser, UserChanges } from '../../accounts/users/user-changes.ts'
import type { User } from '../../accounts/users/users.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { EmailAddress } from '../../lib/text/validation.ts'
import { readNewPassword } from '../ask-secrets.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { findServiceUrl, withAccountsArea } from '../with-storage.ts'

type CreateOptions = {
  email: string
  name?: string
  admin?: true
  passwordFile?: string
  json?: true
}
type RoleOptions = { revokeTokens?: true; json?: true }
type RemoveOptions = { revokeTokens?: true; newOwner?: string }
type PasswordOptions = { passwordFile?: string; json?: true }
type InviteOptions = { email?: string; admin?: true; json?: true }

const PASSWORD_FILE_OPTION = [
  '--password-file <file>',
  'file with the password; - for standard input (default: prompt)',
] as const

export function registerUserCommand(program: Command): void {
  const user = program
    .command('user')
    .description('create, invite, list, change and remove users, and set their passwords')

  user
    .command('create')
    .description('create a user; the first one is an admin')
    .requiredOption('--email <email>', 'email address to sign in with', parseEmail)
    .option('--name <name>', 'displayed name (default: the email address)')
    .option('--admin', 'allow the user to invite and remove users')
    .option(...PASSWORD_FILE_OPTION)
    .option('--json', 'print JSON')
    .action(createUser)

  user
    .command('invite')
    .description('print a one-time link to create an account')
    .option('--email <email>', 'the link works only for this email address', parseEmail)
    .option('--admin', 'invite as an admin')
    .option('--json', 'print JSON')
    .action(invite)

  user
    .command('list')
    .description('list all users')
    .option('--json', 'print JSON')
    .action(listUsers)

  user
    .command('password')
    .description(
      'set a new password for a user, end their sessions and revoke their personal API tokens',
    )
    .argument('<email>', 'email address of the user', parseEmail)
    .option(...PASSWORD_FILE_OPTION)
    .option('--json', 'print JSON')
    .action(setPassword)

  user
    .command('reset')
    .description('print a one-time link with which a user sets a new password')
    .argument('<email>', 'email address of the user', parseEmail)
    .option('--json', 'print JSON')
    .action(printResetLink)

  user
    .command('role')
    .description('make a user an admin or a member')
    .argument('<email>', 'email address of the user', parseEmail)
    .argument('<role>', 'admin or member', parseRole)
    .option('--revoke-tokens', 'also revoke the service tokens they created')
    .option('--json', 'print JSON')
    .action(changeRole)

  user
    .command('email')
    .description('change the email address of a user')
    .argument('<email>', 'current email address', parseEmail)
    .argument('<new-email>', 'new email address', parseEmail)
    .option('--json', 'print JSON')
    .action(changeEmail)

  for (const [name, isActive] of [
    ['deactivate', false],
    ['reactivate', true],
  ] as const) {
    const description = isActive
      ? 'let a deactivated user sign in again'
      : 'stop a user from signing in; ends their sessions, tokens, tasks and bots, and deletes nothing'
    const command = user
      .command(name)
      .description(description)
      .argument('<email>', 'email address of the user', parseEmail)
      .option('--json', 'print JSON')
    if (!isActive) command.option('--revoke-tokens', 'also revoke the service tokens they created')
    command.action((email: string, options: RoleOptions) => setActive(email, isActive, options))
  }

  user
    .command('remove')
    .description('remove a user, end their sessions and revoke their personal API tokens')
    .argument('<email>', 'email address of the user', parseEmail)
    .option('--revoke-tokens', 'also revoke the service tokens they created')
    .option('--new-owner <email>', 'who owns the private projects that only they own', parseEmail)
    .action(removeUser)
}

async function createUser({
  email,
  name,
  admin,
  passwordFile,
  json,
}: CreateOptions): Promise<void> {
  const password = await readNewPassword(passwordFile)
  const user = await withAccountsArea(async ({ accounts, users }) => {
    const role: Role = admin || (await users.count()) === 0 ? 'admin' : 'member'
    return accounts.createUser({ email, name: name ?? email, password, role }, COMMAND_LINE_ACTOR)
  })
  if (json) printJson({ user })
  else printLine(`Created the ${user.role} ${escapeControlCharacters(user.name)} <${user.email}>`)
}

async function invite({ email, admin, json }: InviteOptions): Promise<void> {
  const link = await withAccountsArea(async ({ users, invitations }, config) => {
    if ((await users.count()) === 0)
      return `${findServiceUrl(config)}/setup#${(await invitations.createSetupLink()).code}`
    const role: Role = admin ? 'admin' : 'member'
    const invitation = await invitations.create(
      { email: email ?? null, role, creatorId: null },
      COMMAND_LINE_ACTOR,
    )
    return `${findServiceUrl(config)}/invite#${invitation.code}`
  })
  if (json) printJson({ link })
  else printLine(link)
}

async function listUsers({ json }: { json?: true }): Promise<void> {
  const list = await withAccountsArea(({ users }) => users.list())
  if (json) return printJson({ users: list })
  printTable(
    ['EMAIL', 'NAME', 'ROLE', 'CREATED', 'DEACTIVATED'],
    list.map((user) => [
      user.email,
      user.name,
      user.role,
      user.createdAt.toISOString(),
      user.deactivatedAt?.toISOString() ?? '',
    ]),
  )
}

async function setPassword(email: string, { passwordFile, json }: PasswordOptions): Promise<void> {
  // Read before the storage is opened, so that the prompt does not keep the service from starting.
  const password = await readNewPassword(passwordFile)
  const { endedSessions, revokedTokens, user } = await withAccountsArea(async (area) => {
    const found = await findUser(area, email)
    const reset = await area.accounts.resetPassword(found.id, password, COMMAND_LINE_ACTOR)
    return { user: found, ...reset }
  })
  if (json) return printJson({ user, endedSessions, revokedTokens })
  printLine(`Changed the password of ${email}`)
  printLine(`Sessions that were ended: ${endedSessions}`)
  printLine(`Personal API tokens that were revoked: ${revokedTokens}`)
}

async function printResetLink(email: string, { json }: { json?: true }): Promise<void> {
  const { link, expiresAt } = await withAccountsArea(async (area, config) => {
    const { id } = await findUser(area, email)
    const { code, ...created } = await area.resets.create(
      { userId: id, creatorId: null },
      COMMAND_LINE_ACTOR,
    )
    return { link: `${findServiceUrl(config)}/reset#${code}`, ...created }
  })
  if (json) return printJson({ link, expiresAt })
  printLine(link)
}

async function changeRole(email: string, role: Role, options: RoleOptions): Promise<void> {
  const revokesTokens = options.revokeTokens === true
  const { user, revokedTokens } = await changeFoundUser(email, { role, revokesTokens })
  if (options.json) return printJson({ user, revokedTokens })
  printLine(`${email} is now ${role === 'admin' ? 'an admin' : 'a member'}`)
  if (revokesTokens) printLine(`Revoked service tokens they created: ${revokedTokens}`)
}

async function setActive(email: string, isActive: boolean, options: RoleOptions): Promise<void> {
  const revokesTokens = options.revokeTokens === true
  const { user, revokedTokens } = await changeFoundUser(email, { isActive, revokesTokens })
  if (options.json) return printJson({ user, revokedTokens })
  printLine(`${isActive ? 'Reactivated' : 'Deactivated'} ${email}`)
  if (!isActive) printLine(`Revoked API tokens: ${revokedTokens}`)
}

async function changeEmail(
  email: string,
  newEmail: string,
  options: { json?: true },
): Promise<void> {
  const { user } = await changeFoundUser(email, { email: newEmail })
  if (options.json) printJson({ user })
  else printLine(`Changed the email address of ${email} to ${newEmail}`)
}

function changeFoundUser(email: string, changes: UserChanges): ReturnType<ChangeUser> {
  return withAccountsArea(async (area) => {
    const { id } = await findUser(area, email)
    return area.changeUser(id, changes, COMMAND_LINE_ACTOR)
  })
}

async function findUser({ users }: AccountsArea, email: string): Promise<User> {
  const found = (await users.list()).find((user) => user.email === email)
  if (found !== undefined) return found
  throw new OperatorError(
    `There is no user with the email address ${email}`,
    'hansard user list shows all users',
  )
}

async function removeUser(email: string, options: RemoveOptions): Promise<void> {
  const revokesTokens = options.revokeTokens === true
  const removed = await withAccountsArea(async (area) => {
    const found = await findUser(area, email)
    const activeTokens = (await area.tokens.countActive()).get(found.id) ?? 0
    const { newOwner } = options
    const newOwnerId = newOwner === undefined ? undefined : (await findUser(area, newOwner)).id
    const removal = { revokesTokens, newOwnerId }
    const { revokedTokens } = await area.removeUser(found.id, removal, COMMAND_LINE_ACTOR)
    return { activeTokens: activeTokens - revokedTokens, revokedTokens }
  })
  printLine(`Removed ${email}`)
  if (revokesTokens || removed.revokedTokens > 0)
    printLine(`Revoked API tokens they created: ${removed.revokedTokens}`)
  if (removed.activeTokens > 0)
    printLine(
      `API tokens they created that are still active: ${removed.activeTokens} (see hansard token list)`,
    )
}

function parseEmail(value: string): string {
  const parsed = EmailAddress.safeParse(value.trim().toLowerCase())
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError('This is not a valid email address.')
}

function parseRole(value: string): Role {
  const role = ROLES.find((name) => name === value)
  if (role !== undefined) return role
  throw new InvalidArgumentError(`It must be ${ROLES.join(' or ')}.`)
}
