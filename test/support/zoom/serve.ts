// A service in a process of its own, which tests can kill. The argument is the origin of the RTMS server.
import { join } from 'node:path'
import { openService } from '../../../src/app/service.ts'
import { printBox } from '../../../src/cli/output.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { createLog } from '../../../src/log.ts'
import { FAST_PASSWORDS } from '../service/fast-passwords.ts'
import { FAST_TIMEOUTS } from './webhooks.ts'

const config = parseConfig({ env: process.env, root: INSTALLATION_FOLDER })
const service = await openService(config, createLog(config.logLevel), {
  zoomTestServers: { origins: [process.argv[2] ?? ''], timeouts: FAST_TIMEOUTS },
  passwords: FAST_PASSWORDS,
  consoleFolder: join(INSTALLATION_FOLDER, 'dist/console'),
})
process.once('SIGTERM', () => void service[Symbol.asyncDispose]())
printBox([`Hansard   ${service.url}`])
