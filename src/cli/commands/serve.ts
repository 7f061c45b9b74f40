import type { Command } from 'commander'
import { loadConfig } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import type { Config } from '../../config/config.ts'
import type { Service } from '../../app/service.ts'
import { enablePackageCompileCache } from '../compile-cache.ts'
import { printBox } from '../output.ts'

const STOP_LIMIT_MS = 9_500

export function registerServeCommand(program: Command): void {
  program.command('serve').description('start the service; Ctrl-C stops it').action(serve)
}

async function serve(): Promise<void> {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  const signal = nextSignal()
  enablePackageCompileCache(config)
  const { openService } = await import('../../app/service.ts')

  const service = await openService(config, log)
  printWelcome(service, config)
  log.info({ url: service.url }, 'service ready')
  try {
    const reason = await Promise.race([signal, service.failed])
    log.info({ reason }, 'service stopping')
  } finally {
    // Ends the process even if a part hangs; the embedded database stops with this process.
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await service[Symbol.asyncDispose]()
    log.info('service stopped')
  }
}

/** Resolves with the first signal. Later signals are ignored, because one Ctrl-C may arrive twice. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => resolve(name))
  })
}

function printWelcome(service: Service, config: Config): void {
  printBox([
    `Hansard   ${service.url}`,
    ...(service.setupLink === null
      ? []
      : [`Set up    ${service.setupLink}`, '          (works once, within an hour)']),
    `Data      ${config.data}`,
    `Database  ${service.database}`,
    `Browser   ${service.browser}`,
  ])
}
