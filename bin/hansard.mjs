#!/usr/bin/env node
import { isPackage, launch, launchPackage } from './launch/launch.mjs'

/** The other commands must not change the packages: they may run beside a service that uses them. */
const INSTALLING_COMMANDS = ['serve', 'prepare']

const args = process.argv.slice(2)
const [command] = args
const isHelp = args.includes('--help') || args.includes('-h')
// What `prepare` writes must be readable for the account of the service.
if (command === 'prepare') process.umask(0o022)
if (isPackage) await launchPackage(args)
else {
  const mayInstall = INSTALLING_COMMANDS.includes(command) && !isHelp
  // The console is built with packages for development.
  await launch('src/main.ts', args, { needsDev: mayInstall, mayInstall })
}
