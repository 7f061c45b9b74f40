// A service in a process of its own, which tests can kill. The arguments are the origins of the
// test servers of Microsoft 365 and Google Workspace.
import { join } from 'node:path'
import { openService } from '../../../src/app/service.ts'
import { printBox } from '../../../src/cli/output.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { createLog } from '../../../src/log.ts'
import { FAST_PASSWORDS } from '../service/fast-passwords.ts'

const [, , origin = '', google = ''] = process.argv
const hosts = { login: origin, graph: origin }
const config = parseConfig({ env: process.env, root: INSTALLATION_FOLDER })
const service = await openService(config, createLog(config.logLevel), {
  microsoftHosts: { global: hosts, 'us-gov-high': hosts, 'us-gov-dod': hosts },
  googleHosts: { accounts: google, oauth: google, meet: google, calendar: google },
  passwords: FAST_PASSWORDS,
  consoleFolder: join(INSTALLATION_FOLDER, 'dist/console'),
})
process.once('SIGTERM', () => void service[Symbol.asyncDispose]())
printBox([`Hansard   ${service.url}`])
