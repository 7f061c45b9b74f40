import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Service } from '../../app/service.ts'
import type { Config } from '../../config/config.ts'
import { loadConfig, findCacheFolder, IS_PACKAGE } from '../../config/load-config.ts'
import { PermanentError } from '../../lib/operator-error.ts'
import { onAbort } from '../../lib/async/abort.ts'
import { createLog, type Log } from '../../log.ts'
import { printBox } from '../output.ts'

/** Docker and others kill a program ten seconds after they asked it to stop. */
const EXIT_LIMIT_MS = 9_500
/** A part that has not stopped by then is abandoned. It ends with this process, as the embedded database does. */
const STOP_LIMIT_MS = 9_000

export function registerServeCommand(program: Command): void {
  program.command('serve').description('start the service; Ctrl-C stops it').action(serve)
}

/** The unit file tells systemd not to restart the service after this exit code. */
const PERMANENT_EXIT_CODE = 2

async function serve(): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof PermanentError) process.exitCode = PERMANENT_EXIT_CODE
    throw error
  }
}

async function run(): Promise<void> {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  const stopSignals = watchStopSignals(log)
  const { signal } = stopSignals
  enablePackageCompileCache(config)
  const service = await startUnlessStopped(config, log, stopSignals)
  try {
    if (service !== null) await runUntilStopped(service, config, log, signal)
  } finally {
    if (!signal.aborted) exitWhenOverdue(1)
    await stop(service, log)
  }
}

/** Null if a signal ended the start. Signals are no longer watched if the start fails. */
async function startUnlessStopped(
  config: Config,
  log: Log,
  stopSignals: StopSignals,
): Promise<Service | null> {
  const { signal } = stopSignals
  const { openService } = await import('../../app/service.ts')
  try {
    return await openService(config, log, {}, { signal, stopLimitMs: STOP_LIMIT_MS })
  } catch (error) {
    if (!signal.aborted) {
      stopSignals[Symbol.dispose]()
      throw error
    }
    // The stop itself makes many steps fail, for example because they lose their database connection.
    log.debug({ err: error }, 'a signal ended the start')
    return null
  }
}

/** A part that fails to stop does not keep the others from stopping, and the process ends anyway. */
async function stop(service: Service | null, log: Log): Promise<void> {
  try {
    await service?.[Symbol.asyncDispose]()
  } catch (error) {
    log.warn({ err: error }, 'failed to stop a part of the service')
  }
  log.info('service stopped')
}

/** Rejects if the service has to stop because it failed. */
async function runUntilStopped(
  service: Service,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => onAbort(signal, resolve))
  using setupLinkFile = process.stdout.isTTY ? null : await openSetupLinkFile(service, config, log)
  printWelcome(service, config, setupLinkFile?.path)
  log.info({ url: service.url }, 'service ready')
  if (!signal.aborted) await Promise.race([stopped, service.failed])
}

/** Aborts at the first signal of the system. Later signals are ignored, because one Ctrl-C may arrive twice. */
type StopSignals = Disposable & { signal: AbortSignal }

const STOP_SIGNAL_NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function watchStopSignals(log: Log): StopSignals {
  const controller = new AbortController()
  const { signal } = controller
  const onSignal = (name: NodeJS.Signals) => {
    if (signal.aborted) return
    log.info({ reason: name }, 'service stopping')
    exitWhenOverdue(0)
    controller.abort(new Error(`the service was stopped by ${name}`))
  }
  for (const name of STOP_SIGNAL_NAMES) process.on(name, onSignal)
  return {
    signal,
    [Symbol.dispose]() {
      for (const name of STOP_SIGNAL_NAMES) process.off(name, onSignal)
    },
  }
}

/** Ends this process at the limit, even if an abandoned part would keep it running. */
function exitWhenOverdue(code: number): void {
  setTimeout(() => process.exit(code), EXIT_LIMIT_MS).unref()
}

/** Output that is not a terminal is kept as a log, which must not contain the link. Null without a link. */
async function openSetupLinkFile({ setupLink, hasUsers }: Service, { data }: Config, log: Log) {
  const { keepSetupLinkFile, removeSetupLinkFile } = await import('../../app/setup-link-file.ts')
  removeSetupLinkFile(data)
  if (setupLink === null) return null
  return keepSetupLinkFile({ dataFolder: data, link: setupLink, hasUsers, log })
}

function printWelcome(service: Service, config: Config, setupLinkPath: string | undefined): void {
  const setup = setupLinkPath === undefined ? service.setupLink : `by the link in ${setupLinkPath}`
  printBox([
    `Hansard   ${service.url}`,
    ...(setup === null ? [] : [`Set up    ${setup}`, '          (works once, within an hour)']),
    `Data      ${config.data}`,
    `Database  ${service.database}`,
    `Browser   ${service.browser}`,
    ...(config.sources.roles === 'default' ? [] : [`Roles     ${config.roles.join(', ')}`]),
  ])
}

/**
 * Lets an installed package cache compiled code in its data folder, so that its next start is faster. In a clone the
 * launcher has already enabled a cache.
 */
function enablePackageCompileCache(config: Config): void {
  // Node would create a data folder that other accounts can read.
  if (IS_PACKAGE && existsSync(config.data))
    enableCompileCache(join(findCacheFolder(config), 'compile'))
}
