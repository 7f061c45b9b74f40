import { chownSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import {
  INSTALLATION_FOLDER,
  IS_PACKAGE,
  loadConfig,
  PROCESS_ENV_AND_HOME,
  SETTINGS_FILE,
} from '../../config/load-config.ts'
import { SETTINGS, type SettingName } from '../../config/settings.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { createFoldersSync } from '../../lib/files/folders.ts'
import { isOpenToAllAccounts } from '../../lib/files/installed-files.ts'
import {
  findAccount,
  isSystemdRunning,
  runSystemctl,
  systemctlArguments,
  findUnitFolder,
  removeUnitFile,
  requireRemovableUnit,
  writeUnitFile,
} from '../../operations/service-unit/unit-file.ts'
import {
  formatUnit,
  SYSTEM_SETTINGS_FILE,
  type UnitScope,
} from '../../operations/service-unit/unit-text.ts'
import { printLine } from '../output.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/
const SYSTEM_DATA = '/var/lib/hansard'

type ScopeOptions = { user?: true; system?: true; name: string; force?: true }
type InstallOptions = ScopeOptions & { print?: true; account: string }

export function registerServiceCommand(program: Command): void {
  const service = program.command('service').description('run Hansard as a service of systemd')
  withScopeOptions(service.command('install'))
    .description('write a systemd unit that lets the service write only to its data folder')
    .option('--print', 'print the unit instead of writing it')
    .option('--account <name>', 'account that a system service runs under', 'hansard')
    .option('--force', 'replace a unit that was not written by this command')
    .action(install)
  withScopeOptions(service.command('uninstall'))
    .description('stop the service and remove its unit; the data folder stays')
    .option('--force', 'remove a unit that was not written by this command')
    .action(uninstall)
}

function withScopeOptions(command: Command): Command {
  return command
    .option('--user', 'a service of this account (default, unless root runs the command)')
    .option('--system', 'a service of this machine (default for root)')
    .option('--name <name>', 'name of the unit', 'hansard')
}

function install(options: InstallOptions): void {
  const scope = chooseScope(options)
  const path = unitPath(scope, options.name)
  const config = loadConfig()
  const isDefaultData = config.sources.data === 'default'
  const data = scope === 'system' && isDefaultData ? SYSTEM_DATA : config.data
  const { account } = options
  if (!NAME.test(account)) throw new OperatorError('--account: that is not the name of an account')
  const launcher = join(INSTALLATION_FOLDER, 'bin/hansard.mjs')
  const unit = formatUnit({ scope, node: process.execPath, launcher, data, account })
  if (options.print || !isSystemdRunning()) {
    process.stdout.write(unit)
    if (!options.print)
      process.stderr.write('hansard: systemd does not run here, so the unit is only printed\n')
    return
  }
  refuseTemporaryInstallation()
  const owner = scope === 'system' ? requireAccount(account) : null
  writeUnitFile(path, unit, options.force ?? false)
  // systemd does not start a unit whose writable folder is missing.
  for (const created of createFoldersSync(data, 0o700))
    if (owner !== null && created === data) chownSync(created, owner.uid, owner.gid)
  runSystemctl(scope, 'daemon-reload')
  printInstalled({ scope, path, data, name: options.name }, config)
}

function printInstalled(
  { scope, path, data, name }: { scope: UnitScope; path: string; data: string; name: string },
  config: Config,
): void {
  const systemctl = ['systemctl', ...systemctlArguments(scope)].join(' ')
  printLine(`Unit      ${path}`)
  printLine(`Data      ${data}`)
  printLine(`Settings  ${scope === 'system' ? SYSTEM_SETTINGS_FILE : SETTINGS_FILE}`)
  printLine(`Start it  ${systemctl} enable --now ${name}`)
  if (scope === 'user')
    printLine('          loginctl enable-linger, so that it runs without a login')
  if (!IS_PACKAGE) printLine('          after each update of this clone: hansard prepare')
  const names = (Object.keys(SETTINGS) as SettingName[])
    .filter((key) => key !== 'data' && config.sources[key] === 'environment')
    .map((key) => SETTINGS[key].env)
  if (names.length > 0)
    printLine(`Not in the unit, because only this shell sets them: ${names.join(', ')}`)
}

function uninstall(options: ScopeOptions): void {
  const scope = chooseScope(options)
  const path = unitPath(scope, options.name)
  requireRemovableUnit(path, options.force ?? false)
  if (isSystemdRunning()) runSystemctl(scope, 'disable', '--now', `${options.name}.service`)
  removeUnitFile(path)
  if (isSystemdRunning()) runSystemctl(scope, 'daemon-reload')
  printLine(`Removed ${path}. The data folder stays.`)
}

function chooseScope({ user, system }: ScopeOptions): UnitScope {
  if (user && system) throw new OperatorError('--user and --system exclude each other')
  if (user || system) return user ? 'user' : 'system'
  return process.getuid?.() === 0 ? 'system' : 'user'
}

function unitPath(scope: UnitScope, name: string): string {
  if (!NAME.test(name))
    throw new OperatorError('--name: use letters, digits, dots, hyphens and underscores')
  return join(findUnitFolder(scope, PROCESS_ENV_AND_HOME), `${name}.service`)
}

/** npx may delete its downloaded packages at any time. */
function refuseTemporaryInstallation(): void {
  if (!INSTALLATION_FOLDER.includes('/_npx/')) return
  throw new OperatorError(
    'npx runs this package from its cache, which may be emptied at any time',
    'Install it first: npm install --global ./hansard-*.tgz',
  )
}

function requireAccount(name: string): { uid: number; gid: number } {
  const found = findAccount(name)
  if (found === null)
    throw new OperatorError(
      `There is no account ${name}`,
      `Create it: useradd --system --home-dir ${SYSTEM_DATA} --shell /usr/sbin/nologin ${name}`,
    )
  if (found.uid === 0)
    throw new OperatorError('A system service does not run as root', 'Choose another --account')
  const closed = [INSTALLATION_FOLDER, process.execPath].find((path) => !isOpenToAllAccounts(path))
  if (closed !== undefined)
    throw new OperatorError(
      `The account ${name} cannot read ${closed}`,
      'Install the package for all accounts: npm install --global --prefix /usr/local ./hansard-*.tgz',
    )
  return found
}
