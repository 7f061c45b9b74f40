import { Command, CommanderError } from 'commander'
import { HANSARD_BUILD } from '../config/load-config.ts'
import { registerBotAccountCommand } from './commands/account.ts'
import { registerActionsCommand, registerDecisionsCommand } from './commands/actions.ts'
import { registerAskCommand } from './commands/ask.ts'
import { registerBackupRestoreAndExportCommands } from './commands/backup.ts'
import { registerCalendarCommand, registerUpcomingCommand } from './commands/calendar.ts'
import { registerCalendarAppCommand } from './commands/calendar-app.ts'
import { registerConnectionCommand } from './commands/connection.ts'
import { registerMailCommand } from './commands/mail.ts'
import { registerConfigCommand } from './commands/config.ts'
import { registerDeliveriesCommand } from './commands/deliveries.ts'
import { registerDoctorCommand } from './commands/doctor.ts'
import { registerDocumentsCommand } from './commands/documents.ts'
import { registerImportCommand } from './commands/import.ts'
import { registerJoinCommand } from './commands/join.ts'
import { registerListenCommand } from './commands/listen/listen.ts'
import { registerMcpCommand } from './commands/mcp.ts'
import { registerPrepareCommand } from './commands/prepare.ts'
import { registerPromptCheckCommand } from './commands/prompt.ts'
import { registerProvisioningCommand } from './commands/provisioning.ts'
import { registerRecapCommand } from './commands/recap.ts'
import { registerRehearseCommand } from './commands/rehearse.ts'
import { registerServeCommand } from './commands/serve.ts'
import { registerServiceCommand } from './commands/service.ts'
import { registerSpeechCommand } from './commands/speech.ts'
import { registerTokenCommand } from './commands/token.ts'
import { registerUpgradeCommand } from './commands/upgrade.ts'
import { registerUserCommand } from './commands/user.ts'
import { registerVocabularyCommand } from './commands/vocabulary.ts'
import { keepRunningOnOutputErrors, printErrorAndSetExitCode } from './output.ts'

const EXAMPLES = `
Examples:
  hansard serve                            start the service and print its address
  hansard prepare                          install and build everything, for a service that may only read it
  hansard service install                  run it with systemd
  hansard upgrade --check                  say what the first start of this version would migrate
  hansard token create --name backend      create an API key and its signing secret
  hansard listen --forward-to http://localhost:3000/hook
                                           forward callbacks to a receiver on this machine
  hansard join https://meet.google.com/abc-defg-hij --at 2026-11-20T09:00
                                           send a bot of a running service to a meeting
  hansard ask "When is the budget due?"     ask a running service about its meetings and documents
  hansard actions list --mine              list what you said you would do
  hansard decisions --project sales        list what was decided
  hansard import meeting.vtt                import transcripts of other products
  hansard account add notes --platform google_meet
                                           sign in once, for bots that must not join as guests
  hansard vocabulary add --project sales "Priya Raghunathan"
                                           names that recognized speech should have right
  hansard speech install                   let bots recognize English speech where there are no captions
  hansard deliveries list                  show which receivers of callbacks fail, and why
  hansard doctor                           check this machine and show how to fix each problem
  hansard rehearse                         test joining a simulated meeting before the first real one

Settings are read from the environment and from a file .env, which hansard config names: docs/configuration.md.
Exit codes: 0 success, 1 failure, 2 invalid command or options, or a start that fails
again until a person changes something; upgrade --check: 3 migrations pending.`

/** Parses the command line, runs the command, and sets `process.exitCode`. */
export async function runCommandLine(args: string[]): Promise<void> {
  keepRunningOnOutputErrors(args.includes('--json'))
  try {
    await createProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else printErrorAndSetExitCode(error, args.includes('--json'))
  }
}

export function createProgram(): Command {
  const program = new Command('hansard')
    .description('A self-hosted knowledge assistant: meetings, AI tasks, projects.')
    .version(HANSARD_BUILD)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(hansard --help lists the commands)')
    .exitOverride()
  registerServeCommand(program)
  registerPrepareCommand(program)
  registerServiceCommand(program)
  registerUpgradeCommand(program)
  registerTokenCommand(program)
  registerCalendarCommand(program)
  registerCalendarAppCommand(program)
  registerConnectionCommand(program)
  registerMailCommand(program)
  registerProvisioningCommand(program)
  registerUpcomingCommand(program)
  registerUserCommand(program)
  registerBotAccountCommand(program)
  registerListenCommand(program)
  registerJoinCommand(program)
  registerAskCommand(program)
  registerActionsCommand(program)
  registerDecisionsCommand(program)
  registerRecapCommand(program)
  registerImportCommand(program)
  registerDeliveriesCommand(program)
  registerMcpCommand(program)
  registerBackupRestoreAndExportCommands(program)
  registerDocumentsCommand(program)
  registerPromptCheckCommand(program)
  registerConfigCommand(program)
  registerSpeechCommand(program)
  registerVocabularyCommand(program)
  registerDoctorCommand(program)
  registerRehearseCommand(program)
  for (const command of program.commands) configureErrors(command)
  return program
}

function configureErrors(command: Command, parent = 'hansard'): void {
  const name = `${parent} ${command.name()}`
  command.exitOverride().showHelpAfterError(`(${name} --help shows all options)`)
  for (const inner of command.commands) configureErrors(inner, name)
}
