import { Argument, type Command } from 'commander'
import { createProjectAccessStore } from '../../access/project-access.ts'
import { GROUP_ROLES, type GroupRole } from '../../access/rules.ts'
import { COMMAND_LINE_ACTOR } from '../../accounts/audit.ts'
import { createGroupRoles, type GroupRoles } from '../../provisioning/group-roles.ts'
import {
  createProvisioningAdmin,
  type ProvisioningAdmin,
  type ProvisioningSettings,
} from '../../provisioning/settings.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { findServiceUrl, withStorage } from '../with-storage.ts'
import { parseName } from './token.ts'

type Options = { json?: true }
type Area = { admin: ProvisioningAdmin; groupRoles: GroupRoles; url: string }

const HELP = `
Examples:
  hansard provisioning on
  hansard provisioning token create Entra
  hansard provisioning grant "Sales team" sales editor

The commands change the instance on this machine, even while the service is running. docs/provisioning.md has all steps.`

export function registerProvisioningCommand(program: Command): void {
  const provisioning = program
    .command('provisioning')
    .description('people and groups that an identity provider manages (SCIM 2.0)')
    .addHelpText('after', HELP)
  addJson(provisioning.command('status').description('show the settings and the address')).action(
    printStatus,
  )
  for (const { name, description, changes } of SWITCHES) {
    addJson(provisioning.command(name).description(description)).action((options: Options) =>
      changeSettings(changes, options),
    )
  }
  addJson(provisioning.command('service-tokens'))
    .description('decide what deactivating a person does with the service tokens they created')
    .addArgument(new Argument('<choice>', 'what happens').choices(['revoke', 'keep']))
    .action((choice: string, options: Options) =>
      changeSettings({ revokesServiceTokens: choice === 'revoke' }, options),
    )
  registerToken(provisioning)
  addJson(provisioning.command('groups').description('list the groups with their roles'))
    .option('--search <text>', 'only groups whose name contains this text', '')
    .action(listGroups)
  addJson(provisioning.command('grant').description('give a group a role in a project'))
    .argument('<group>', 'name or id of the group')
    .argument('<project>', 'id of the project')
    .addArgument(new Argument('<role>', 'role of the members').choices(GROUP_ROLES))
    .action(setRole)
  addJson(provisioning.command('ungrant').description('take the role in a project from a group'))
    .argument('<group>', 'name or id of the group')
    .argument('<project>', 'id of the project')
    .action((group: string, project: string, options: Options) =>
      setRole(group, project, null, options),
    )
}

const SWITCHES = [
  { name: 'on', description: 'turn provisioning on', changes: { isOn: true } },
  {
    name: 'off',
    description: 'turn provisioning off; people, groups and tokens stay',
    changes: { isOn: false },
  },
]

function registerToken(provisioning: Command): void {
  const token = provisioning.command('token').description('secrets of identity providers')
  addJson(token.command('create').description('create a token; its secret is shown only once'))
    .argument('<name>', 'what it is for', parseName)
    .action(createToken)
  addJson(token.command('list').description('list the tokens with their last use')).action(
    listTokens,
  )
  addJson(token.command('revoke').description('revoke a token immediately'))
    .argument('<id>', 'id of the token')
    .action(revokeToken)
}

function addJson(command: Command): Command {
  return command.option('--json', 'print JSON')
}

/** Opens what admins decide about provisioning, even while the service is running. */
function withArea<T>(work: (area: Area) => Promise<T>): Promise<T> {
  return withStorage(({ database: { db }, clock }, config) => {
    const { defaultAccess } = config
    const { getAccess } = createProjectAccessStore({ db, clock, defaultAccess })
    return work({
      admin: createProvisioningAdmin({ db, clock }),
      groupRoles: createGroupRoles({ db, clock, requireProject: getAccess }),
      url: `${findServiceUrl(config)}/scim/v2`,
    })
  })
}

async function printStatus({ json }: Options): Promise<void> {
  const { settings, url, tokens } = await withArea(async (area) => ({
    settings: await area.admin.settings(),
    url: area.url,
    tokens: await area.admin.listTokens(),
  }))
  if (json) return printJson({ ...settings, url, tokens })
  printSettings(settings)
  printLine(`Address       ${url}`)
  printLine(`Tokens        ${tokens.length}`)
}

async function changeSettings(
  changes: Partial<ProvisioningSettings>,
  { json }: Options,
): Promise<void> {
  const settings = await withArea(({ admin }) => admin.changeSettings(changes, COMMAND_LINE_ACTOR))
  if (json) return printJson(settings)
  printSettings(settings)
}

function printSettings({ isOn, revokesServiceTokens }: ProvisioningSettings): void {
  printLine(`Provisioning  ${isOn ? 'on' : 'off'}`)
  const choice = revokesServiceTokens ? 'revokes' : 'keeps'
  printLine(`Deactivation  ${choice} the service tokens that the person created`)
}

async function createToken(name: string, { json }: Options): Promise<void> {
  const created = await withArea(({ admin }) => admin.createToken(name, null, COMMAND_LINE_ACTOR))
  if (json) return printJson(created)
  printLine(`Secret  ${created.secret}`)
  printLine('Copy it now. It is shown only once.')
}

async function listTokens({ json }: Options): Promise<void> {
  const tokens = await withArea(({ admin }) => admin.listTokens())
  if (json) return printJson({ tokens })
  if (tokens.length === 0)
    return printLine('No tokens. Create one with: hansard provisioning token create NAME')
  const rows = tokens.map((row) => [
    row.id,
    row.name,
    `…${row.last4}`,
    row.createdAt.toISOString(),
    row.lastUsedAt?.toISOString() ?? 'never',
  ])
  printTable(['ID', 'NAME', 'SECRET', 'CREATED', 'LAST USED'], rows)
}

async function revokeToken(id: string, { json }: Options): Promise<void> {
  await withArea(({ admin }) => admin.revokeToken(id, COMMAND_LINE_ACTOR))
  if (json) return printJson({ id })
  printLine(`Revoked ${id}`)
}

async function listGroups({ json, search }: Options & { search: string }): Promise<void> {
  const listed = await withArea(({ groupRoles }) => groupRoles.list(search))
  if (json) return printJson(listed)
  const { groups, total } = listed
  if (total === 0)
    return printLine(search === '' ? 'No groups yet.' : 'No group has this text in its name.')
  const rows = groups.map((row) => [
    row.id,
    row.displayName,
    String(row.memberCount),
    row.roles.map(({ project, role }) => `${project}: ${role}`).join(', '),
  ])
  printTable(['ID', 'NAME', 'MEMBERS', 'ROLES'], rows)
  if (total > groups.length)
    printLine(`${total - groups.length} more. Use --search TEXT to find them.`)
}

async function setRole(
  group: string,
  project: string,
  role: GroupRole | null,
  { json }: Options,
): Promise<void> {
  const groupId = await withArea(async ({ groupRoles }) => {
    const id = await groupRoles.findId(group)
    await groupRoles.set({ groupId: id, project, role }, COMMAND_LINE_ACTOR)
    return id
  })
  if (json) return printJson({ groupId, project, role })
  printLine(
    role === null
      ? `The group ${groupId} has no role in ${project}`
      : `The members of ${groupId} are now ${role}s of ${project}`,
  )
}
