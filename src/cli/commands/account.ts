import { InvalidArgumentError, Option, type Command } from 'commander'
import { COMMAND_LINE } from '../../accounts/audit.ts'
import { ACCOUNT_NAME_PATTERN, ACCOUNT_NAME_RULE } from '../../bots/accounts/account-name.ts'
import type { BotAccounts } from '../../bots/accounts/bot-accounts.ts'
import { checkAccount } from '../../bots/accounts/account-check.ts'
import { ACCOUNT_PLATFORMS, SITES, type AccountPlatform } from '../../bots/accounts/sites.ts'
import {
  parseState,
  signInStatusOf,
  type StateParseResult,
} from '../../bots/accounts/storage-state.ts'
import { readOperatorFile } from '../../storage/data-folder.ts'
import { OperatorError } from '../../errors.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { loadConfig, MACHINE, ROOT } from '../../config/load-config.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { withStorage } from '../with-storage.ts'

type AddOptions = { platform: AccountPlatform; state?: string; limit?: number; json?: true }
type Json = { json?: true }

export function addAccountCommand(program: Command): void {
  const account = program
    .command('account')
    .description('bot accounts: signed-in accounts that bots can join with')

  account
    .command('add')
    .description('sign in once in a browser, or import what one kept; again: sign in anew')
    .argument('<name>', 'what `account` of a start will say', parseName)
    .addOption(
      new Option('--platform <platform>', 'where').choices(ACCOUNT_PLATFORMS).makeOptionMandatory(),
    )
    .option('--state <file>', 'a Playwright storage state to import, - for standard input')
    .option('--limit <bots>', 'bots that may use it at once (default: 1)', parseLimit)
    .option('--json', 'print JSON')
    .action(add)

  account
    .command('list')
    .description('every account with its limit and its use')
    .option('--json', 'print JSON')
    .action(list)

  account
    .command('check')
    .description('whether the stored sign-ins can be read and have not run out')
    .argument('[name]', 'only this one')
    .option('--json', 'print JSON')
    .action(check)

  account
    .command('remove')
    .description('delete an account; refused while a meeting needs it')
    .argument('<name>', 'which')
    .option('--json', 'print JSON')
    .action(remove)
}

async function add(name: string, { platform, state: file, limit, json }: AddOptions) {
  const read = file === undefined ? await signIn(platform) : importState(platform, file)
  if (!read.isValid) throw new OperatorError(read.problem, 'docs/operate.md tells how to get one')
  const { state } = read
  const { isSignedIn } = signInStatusOf(platform, state, systemClock.now())
  const { isNew } = await withBotAccounts((accounts) =>
    accounts.add({ name, platform, limit, state }, COMMAND_LINE),
  )
  if (json) return printJson({ name, platform, isNew, isSignedIn })
  printLine(`${isNew ? 'Added' : 'Renewed'} ${name} for ${SITES[platform].title}`)
  if (!isSignedIn) printLine(`No cookie of it looks like a sign-in: try it in a meeting`)
}

function importState(platform: AccountPlatform, file: string): StateParseResult {
  return parseState(platform, readOperatorFile('--state', file))
}

async function signIn(platform: AccountPlatform): Promise<StateParseResult> {
  const { signInInteractively } = await import('../../bots/accounts/sign-in.ts')
  const cache = `${ROOT}/node_modules/.cache`
  return signInInteractively(platform, {
    settings: loadConfig(),
    machine: MACHINE,
    cache,
    say: printLine,
  })
}

async function list({ json }: Json): Promise<void> {
  const accounts = await withBotAccounts((all) => all.list())
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
  const findings = await withBotAccounts(async (accounts) => {
    const all = await accounts.list()
    const wanted = name === undefined ? all : all.filter((row) => row.name === name)
    if (name !== undefined && wanted.length === 0) throw new OperatorError(`There is no ${name}`)
    const now = systemClock.now()
    return Promise.all(wanted.map((row) => checkAccount(accounts, row, now)))
  })
  const isHealthy = findings.every(({ ok }) => ok)
  if (json) printJson({ ok: isHealthy, botAccounts: findings })
  else
    for (const row of findings) printLine(`${row.ok ? 'ok  ' : 'FAIL'}  ${row.name}: ${row.detail}`)
  if (!isHealthy) process.exitCode = 1
}

async function remove(name: string, { json }: Json): Promise<void> {
  await withBotAccounts((accounts) => accounts.remove(name, COMMAND_LINE))
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
  if (ACCOUNT_NAME_PATTERN.test(value)) return value
  throw new InvalidArgumentError(ACCOUNT_NAME_RULE)
}

function parseLimit(value: string): number {
  const limit = Number(value)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit
  throw new InvalidArgumentError('A limit is a whole number from 1 to 1000.')
}
