import { InvalidArgumentError, Option, type Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '../../accounts/audit.ts'
import { API_TOKEN_SCOPES, type ApiTokenScope } from '../../accounts/roles.ts'
import type { ApiToken } from '../../accounts/tokens/tokens.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { addSecondsToDate, systemClock } from '../../lib/time/clock.ts'
import { isProjectId, PROJECT_ID_RULE_TEXT } from '../../projects/files/file-names.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { withAccountsArea } from '../with-storage.ts'

type RotateOptions = { activate?: true; cancel?: true; json?: true }
type CreateOptions = {
  name: string
  scope?: ApiTokenScope[]
  project?: string[]
  days?: number
  json?: true
}

export function registerTokenCommand(program: Command): void {
  const token = program.command('token').description('create, list, rotate and revoke API tokens')

  token
    .command('create')
    .description('create a token; its API key and signing secret are shown only once')
    .requiredOption('--name <name>', 'what it is for', parseName)
    .addOption(
      new Option('--scope <scope...>', 'what the key may do (default: everything)').choices(
        API_TOKEN_SCOPES,
      ),
    )
    .option(
      '--project <project...>',
      'the only projects that the key may use (default: all)',
      collectProjectIds,
    )
    .option('--days <days>', 'number of days until the token expires (default: never)', parseDays)
    .option('--json', 'print JSON: {"name","apiKey","signingSecret"}')
    .action(createToken)

  token
    .command('list')
    .description('list all tokens with their last use')
    .option('--json', 'print JSON')
    .action(listTokens)

  token
    .command('rotate')
    .description(
      'create the next signing secret, shown only once; it signs when activated, or after 24 hours; the API key stays the same',
    )
    .argument('<token>', 'id or name of the token')
    .addOption(
      new Option(
        '--activate',
        'start signing with the next secret; the old one stays valid for 24 hours',
      ).conflicts('cancel'),
    )
    .option('--cancel', 'delete the next secret')
    .option('--json', 'print JSON')
    .action(rotateSecret)

  token
    .command('revoke')
    .description('revoke a token immediately; its API key stops working')
    .argument('<token>', 'id or name of the token')
    .option('--json', 'print JSON')
    .action(revokeToken)
}

async function createToken({ name, scope, project, days, json }: CreateOptions): Promise<void> {
  const expiresAt = days === undefined ? null : addSecondsToDate(systemClock.now(), days * 86_400)
  const { apiKey, signingSecret } = await withAccountsArea(({ tokens }) =>
    tokens.create(
      { name, scopes: scope ?? null, expiresAt, projects: project, creatorId: null },
      COMMAND_LINE_ACTOR,
    ),
  )
  if (json) return printJson({ name, apiKey, signingSecret })
  printLine(`API key         ${apiKey}`)
  printLine(`Signing secret  ${signingSecret}`)
  printLine('Copy both now. They are shown only once.')
}

const TOKEN_COLUMNS = [
  'ID',
  'NAME',
  'KEY',
  'PERMISSIONS',
  'PROJECTS',
  'KIND',
  'CREATED BY',
  'LAST USED',
  'EXPIRES',
  'STATE',
]

async function listTokens({ json }: { json?: true }): Promise<void> {
  const list = await withAccountsArea(({ tokens }) => tokens.list())
  if (json) return printJson({ tokens: list })
  printTable(
    TOKEN_COLUMNS,
    list.map((row) => [
      row.id,
      row.name,
      `${row.keyPrefix}…${row.keyLast4}`,
      row.scopes?.join(',') ?? 'everything',
      describeProjects(row),
      row.kind,
      row.createdBy ?? 'command line',
      row.lastUsedAt?.toISOString() ?? 'never',
      row.expiresAt?.toISOString() ?? 'never',
      describeState(row),
    ]),
  )
}

async function rotateSecret(idOrName: string, options: RotateOptions): Promise<void> {
  await withAccountsArea(async ({ tokens, rotation }) => {
    const { id } = findToken(await tokens.list(), idOrName)
    if (options.activate) printActivated(await rotation.activate(id, COMMAND_LINE_ACTOR), options)
    else if (options.cancel)
      printCancelled(await rotation.cancelNext(id, COMMAND_LINE_ACTOR), options)
    else printNext(await rotation.createNext(id, COMMAND_LINE_ACTOR), options)
  })
}

function printNext(
  created: { token: ApiToken; signingSecret: string },
  { json }: RotateOptions,
): void {
  if (json) return printJson(created)
  const { id, nextSecretDue } = created.token
  printLine(`Next signing secret  ${created.signingSecret}`)
  printLine(
    'Copy it now, it is shown only once. Your receivers must accept it in addition to the current secret.',
  )
  printLine('The API key stays the same')
  printLine(`Then: hansard token rotate ${id} --activate`)
  printLine(`Otherwise it is activated automatically at ${nextSecretDue?.toISOString()}`)
}

function printActivated(token: ApiToken, { json }: RotateOptions): void {
  if (json) return printJson({ token })
  printLine(`The next secret of ${token.name} is now active`)
  printLine(`The old one stays valid until ${token.oldSecretUntil?.toISOString()}`)
}

function printCancelled(token: ApiToken, { json }: RotateOptions): void {
  if (json) return printJson({ token })
  printLine(`The next secret of ${token.name} is deleted; the current one stays active`)
}

/** A token that a removed user left uses only team projects. */
function describeProjects({ projects, isTeamOnly }: ApiToken): string {
  const limit = projects?.join(',') ?? 'all'
  return isTeamOnly ? `${limit}, team only` : limit
}

function describeState({ revokedAt, nextSecretDue, oldSecretUntil }: ApiToken): string {
  if (revokedAt !== null) return 'revoked'
  if (nextSecretDue !== null) return `active, next secret due ${nextSecretDue.toISOString()}`
  if (oldSecretUntil !== null)
    return `active, old secret valid until ${oldSecretUntil.toISOString()}`
  return 'active'
}

async function revokeToken(idOrName: string, { json }: { json?: true }): Promise<void> {
  const { cancelMeetingsOfToken } = await import('../../app/revocation/cancel-token-meetings.ts')
  const { revoked, cancelledMeetings } = await withAccountsArea(
    async ({ tokens }, _config, { database, clock }) => {
      const { id } = findToken(await tokens.list(), idOrName)
      const token = await tokens.revoke(id, COMMAND_LINE_ACTOR)
      const audited = { actor: COMMAND_LINE_ACTOR, now: clock.now() }
      const count = await cancelMeetingsOfToken(database.db, id, audited)
      return { revoked: token, cancelledMeetings: count }
    },
  )
  if (json) return printJson({ token: revoked, cancelledMeetings })
  printLine(`Revoked ${revoked.name} (${revoked.keyPrefix}…${revoked.keyLast4})`)
  if (cancelledMeetings > 0) printLine(`Scheduled meetings stopped: ${cancelledMeetings}`)
}

function findToken(tokens: ApiToken[], idOrName: string): ApiToken {
  const byId = tokens.find(({ id }) => id === idOrName)
  const byName = tokens.filter(({ name, revokedAt }) => name === idOrName && revokedAt === null)
  const found = byId ?? (byName.length === 1 ? byName[0] : undefined)
  if (found !== undefined) return found
  throw new OperatorError(
    byName.length > 1
      ? `${byName.length} active tokens are named ${idOrName}`
      : `There is no active token ${idOrName}`,
    'hansard token list shows the ids',
  )
}

export function parseName(value: string): string {
  const name = value.trim()
  if (name.length >= 1 && name.length <= 100) return name
  throw new InvalidArgumentError('Must be 1 to 100 characters.')
}

function collectProjectIds(value: string, previous: string[] | undefined): string[] {
  if (!isProjectId(value)) throw new InvalidArgumentError(`${PROJECT_ID_RULE_TEXT}.`)
  return [...(previous ?? []), value]
}

function parseDays(value: string): number {
  const days = Number(value)
  if (Number.isInteger(days) && days >= 1 && days <= 3_650) return days
  throw new InvalidArgumentError('Must be a whole number from 1 to 3650.')
}
