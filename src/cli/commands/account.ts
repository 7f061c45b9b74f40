import { InvalidArgumentError, Option, type Command } from 'commander'
import { INSTANCE_VIEWER } from '../../access/viewer.ts'
import { COMMAND_LINE_ACTOR } from '../../accounts/audit.ts'
import {
  BOT_ACCOUNT_NAME_PATTERN,
  BOT_ACCOUNT_NAME_RULE_TEXT,
} from '../../bots/accounts/account-name.ts'
import type { BotAccounts } from '../../bots/accounts/bot-accounts.ts'
import {
  ACCOUNT_PLATFORMS,
  SIGN_IN_SITE_BY_PLATFORM,
  type AccountPlatformName,
} from '../../bots/accounts/sites.ts'
import {
  checkStoredSignInCookies,
  parseStorageState,
  signInStatusOf,
  type StorageStateParseResult,
} from '../../bots/accounts/storage-state.ts'
import { findCacheFolder, loadConfig, PROCESS_ENV_AND_HOME } from '../../config/load-config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLog } from '../../log.ts'
import { readFileOrStdin } from '../../storage/data-folder.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { withStorage } from '../with-storage.ts'

type AddOptions = { platform: AccountPlatformName; state?: string; limit?: number; json?: true }
type Json = { json?: true }

export function registerBotAccountCommand(program: Command): void {
  const account = program
    .command('account')
    .description('bot accounts: signed-in accounts that bots can join with')

  account
    .command('add')
    .description(
      'sign in with a browser, or import its stored sign-in; repeat it to renew the sign-in',
    )
    .argument(
      '<name>',
      'name of the account, for the field `account` of a start request',
      parseName,
    )
    .addOption(
      new Option('--platform <platform>', 'platform of the account')
        .choices(ACCOUNT_PLATFORMS)
        .makeOptionMandatory(),
    )
    .option('--state <file>', 'Playwright storage state to import; - for standard input')
    .option('--limit <bots>', 'how many bots may use it at the same time (default: 1)', parseLimit)
    .option('--json', 'print JSON')
    .action(add)

  account
    .command('list')
    .description('list all accounts with their limit and last use')
    .option('--json', 'print JSON')
    .action(list)

  account
    .command('check')
    .description('check that the stored sign-ins are readable and have not expired')
    .argument('[name]', 'only this account')
    .option('--json', 'print JSON')
    .action(check)

  account
    .command('remove')
    .description('delete an account; refused while a meeting uses it')
    .argument('<name>', 'name of the account')
    .option('--json', 'print JSON')
    .action(remove)
}

async function add(name: string, { platform, state: file, limit, json }: AddOptions) {
  const read = file === undefined ? await signIn(platform) : importState(platform, file)
  if (!read.isValid)
    throw new OperatorError(read.problem, 'docs/bots.md explains how to get a sign-in')
  const { state } = read
  const { isSignedIn } = signInStatusOf(platform, state, systemClock.now())
  const { isNew } = await withBotAccounts((accounts) =>
    accounts.add({ name, platform, limit, state }, COMMAND_LINE_ACTOR),
  )
  if (json) return printJson({ name, platform, isNew, isSignedIn })
  printLine(
    `${isNew ? 'Added' : 'Renewed'} ${name} for ${SIGN_IN_SITE_BY_PLATFORM[platform].title}`,
  )
  if (!isSignedIn)
    printLine('None of its cookies looks like a sign-in. Test the account in a meeting.')
}

function importState(platform: AccountPlatformName, file: string): StorageStateParseResult {
  return parseStorageState(platform, readFileOrStdin('--state', file))
}

async function signIn(platform: AccountPlatformName): Promise<StorageStateParseResult> {
  const { readBrowserStateAfterManualSignIn } = await import('../../bots/accounts/sign-in.ts')
  const settings = loadConfig()
  return readBrowserStateAfterManualSignIn(platform, {
    settings,
    machine: PROCESS_ENV_AND_HOME,
    cache: findCacheFolder(settings),
    log: createLog('warn'),
    say: printLine,
  })
}

async function list({ json }: Json): Promise<void> {
  const accounts = await withBotAccounts((all) => all.list(INSTANCE_VIEWER))
  if (json) return printJson({ botAccounts: accounts })
  printTable(
    ['NAME', 'PLATFORM', 'IN USE', 'ADDED', 'LAST USED', 'RENEWED'],
    accounts.map((row) => [
      row.name,
      row.platform,
      `${row.inUse} of ${row.limit}`,
      row.addedAt.toISOString(),
      row.lastUsedAt?.toISOString() ?? 'never',
      row.refreshedAt?.toISOString() ?? 'never',
    ]),
  )
}

async function check(name: string | undefined, { json }: Json): Promise<void> {
  const results = await withBotAccounts(async (accounts) => {
    const all = await accounts.list(INSTANCE_VIEWER)
    const selected = name === undefined ? all : all.filter((row) => row.name === name)
    if (name !== undefined && selected.length === 0)
      throw new OperatorError(
        `There is no bot account ${name}`,
        'hansard account list shows all accounts',
      )
    const now = systemClock.now()
    return Promise.all(selected.map((row) => checkStoredSignInCookies(accounts, row, now)))
  })
  const isHealthy = results.every(({ ok }) => ok)
  if (json) printJson({ ok: isHealthy, botAccounts: results })
  else
    for (const row of results) printLine(`${row.ok ? 'ok  ' : 'FAIL'}  ${row.name}: ${row.detail}`)
  if (!isHealthy) process.exitCode = 1
}

async function remove(name: string, { json }: Json): Promise<void> {
  await withBotAccounts((accounts) => accounts.remove(name, COMMAND_LINE_ACTOR))
  if (json) printJson({ removed: name })
  else printLine(`Removed ${name}`)
}

async function withBotAccounts<T>(work: (accounts: BotAccounts) => Promise<T>): Promise<T> {
  const { createBotAccounts } = await import('../../bots/accounts/bot-accounts.ts')
  return withStorage(({ database: { db }, secretBox }) =>
    work(createBotAccounts({ db, clock: systemClock, secretBox })),
  )
}

function parseName(value: string): string {
  if (BOT_ACCOUNT_NAME_PATTERN.test(value)) return value
  throw new InvalidArgumentError(BOT_ACCOUNT_NAME_RULE_TEXT)
}

function parseLimit(value: string): number {
  const limit = Number(value)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit
  throw new InvalidArgumentError('Must be a whole number from 1 to 1000.')
}
