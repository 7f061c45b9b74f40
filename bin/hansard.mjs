#!/usr/bin/env node
import { isPackage, launch, launchPackage } from './launch/launch.mjs'

/** Other commands must not change the packages, because they may run next to a service that uses them. */
const INSTALLING_COMMANDS = ['serve', 'prepare']

const args = process.argv.slice(2)
const [command] = args
const isHelp = args.includes('--help') || args.includes('-h')
// The service's account must be able to read what `prepare` writes.
if (command === 'prepare') process.umask(0o022)
if (isPackage) await launchPackage(args)
else {
  const mayInstall = INSTALLING_COMMANDS.includes(command) && !isHelp
  // Building the console needs the packages for development.
  await launch('src/main.ts', args, { needsDev: mayInstall, mayInstall })
}
