import { isAbsolute } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'

/** `user`: a service of the account that installs it. `system`: a service of the machine, under its own account. */
export type UnitScope = 'user' | 'system'

export type UnitParts = {
  scope: UnitScope
  /** The program that runs the launcher, and the launcher. */
  node: string
  launcher: string
  data: string
  /** The account that a system service runs under. */
  account: string
}

/** The first line of Hansard's units. A unit without it belongs to the operator. */
export const UNIT_MARKER =
  '# Written by “hansard service install”, which may replace this file. Remove this line to keep your changes.'

/** Optional file with settings of a system service. systemd reads it as root. */
export const SYSTEM_SETTINGS_FILE = '/etc/hansard/hansard.env'

/** Longer than the time after which the service ends itself if a part does not stop. */
const STOP_SECONDS = 20
const HOME_FOLDERS = /^\/(?:home|root|run\/user)\//

/** Options that need a service manager that may drop capabilities. */
const SYSTEM_SANDBOX = [
  'CapabilityBoundingSet=',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  '# Not ProcSubset=pid: the service reads the memory and the load of the machine.',
  'ProtectProc=invisible',
  'KeyringMode=private',
]

/** A systemd unit that may write only to the data folder. */
export function formatUnit(parts: UnitParts): string {
  const isSystem = parts.scope === 'system'
  for (const path of [parts.node, parts.launcher, parts.data])
    if (!isAbsolute(path)) throw new Error(`${path} is not an absolute path`)
  return `${[
    UNIT_MARKER,
    ...unitSection(isSystem),
    '',
    ...serviceSection(parts, isSystem),
    '',
    ...sandboxOfEveryService(parts),
    ...(isSystem ? ['', ...SYSTEM_SANDBOX] : []),
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
  ].join('\n')}\n`
}

function unitSection(isSystem: boolean): string[] {
  return [
    '[Unit]',
    'Description=Hansard',
    // A user's service manager does not know the network targets.
    ...(isSystem ? ['Wants=network-online.target', 'After=network-online.target'] : []),
  ]
}

function serviceSection({ node, launcher, data, account }: UnitParts, isSystem: boolean) {
  return [
    '[Service]',
    'Type=exec',
    ...(isSystem ? [`User=${account}`] : []),
    `ExecStart=${quoteUnitProgram(node)} ${quoteUnitArgument(launcher)} serve`,
    `Environment=${quoteUnitValue(`HANSARD_DATA=${data}`)}`,
    '# npm keeps its cache here when it fetches speech recognition: the home folder is read-only.',
    `Environment=${quoteUnitValue(`npm_config_cache=${data}/cache/npm`)}`,
    ...(isSystem ? [`EnvironmentFile=-${SYSTEM_SETTINGS_FILE}`] : []),
    'Restart=always',
    'RestartSec=5',
    '# Exit code 2: another start would fail too, until a person changes something.',
    'RestartPreventExitStatus=2',
    '# Only the service gets SIGTERM: it lets bots leave their meetings and then stops PostgreSQL. The rest is killed.',
    'KillMode=mixed',
    `TimeoutStopSec=${STOP_SECONDS}`,
    '# A browser that needs too much memory must not take the service with it: a new one is started.',
    'OOMPolicy=continue',
    '# Connections, event streams, files of the browsers.',
    'LimitNOFILE=65536',
    'UMask=0077',
  ]
}

/** Options that also work in a user's service manager, which can't drop capabilities. */
function sandboxOfEveryService({ node, launcher, data }: UnitParts): string[] {
  // The installation may be in a home folder, which must then be readable.
  const isHomeNeeded = [node, launcher, data].some((path) => HOME_FOLDERS.test(path))
  return [
    '# The service writes only to its data folder.',
    'ProtectSystem=strict',
    `ProtectHome=${isHomeNeeded ? 'read-only' : 'yes'}`,
    `ReadWritePaths=${quoteUnitValue(data)}`,
    'PrivateTmp=yes',
    '# The sandbox of Chromium does not use its setuid program then, but namespaces: see RestrictNamespaces.',
    'NoNewPrivileges=yes',
    '# HTTP, the socket of PostgreSQL, and netlink, with which Node and Chromium list network interfaces.',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    '# Chromium isolates its pages in these namespaces.',
    'RestrictNamespaces=user pid net',
    'LockPersonality=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'SystemCallArchitectures=native',
    '# No list of allowed system calls: the sandbox of Chromium needs chroot and unshare, and browsers change.',
    'SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @swap',
    'SystemCallErrorNumber=EPERM',
    '# Not set: MemoryDenyWriteExecute. V8, in Node and in Chromium, compiles JavaScript to machine code.',
  ]
}

/**
 * Quotes a value for a unit file. systemd replaces specifiers such as `%h`, and not all of its settings understand
 * escaped control characters, so a value with one is refused.
 */
export function quoteUnitValue(value: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(value) || !value.isWellFormed())
    throw new OperatorError(
      `A systemd unit cannot contain ${JSON.stringify(escapeControlCharacters(value))}`,
      'Rename the folder so that its path has no line break or other control character',
    )
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
}

/** A command's program path. systemd accepts no quotes and no backslash in it. */
export function quoteUnitProgram(path: string): string {
  if (/["'\\]/.test(path))
    throw new OperatorError(
      `systemd starts no program whose path contains a quote or a backslash: ${JSON.stringify(path)}`,
      'Install Hansard in another folder',
    )
  return quoteUnitValue(path)
}

/** An argument of a command. systemd also replaces variables in it, but not in the program path. */
export function quoteUnitArgument(value: string): string {
  return quoteUnitValue(value).replaceAll('$', '$$$$')
}
