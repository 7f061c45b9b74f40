import { Argument, InvalidArgumentError, Option, type Command } from 'commander'
import { findCacheFolder, loadConfig, PROCESS_ENV_AND_HOME } from '../../config/load-config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { createLog } from '../../log.ts'
import {
  REHEARSAL_PLATFORM_CLI_NAMES,
  type RehearsalPlatformCliName,
} from '../../bots/rehearsal/rehearsal-platforms.ts'
import type { RehearsalReportEntry } from '../../bots/rehearsal/rehearse.ts'
import { printCheckLine, printJson, printLine } from '../output.ts'

export function registerRehearseCommand(program: Command): void {
  program
    .command('rehearse')
    .description(
      'test joining a simulated meeting, or with --against a real one, with this machine’s browser',
    )
    .addArgument(
      new Argument('[platform]', 'only this platform (default: both)').choices(
        REHEARSAL_PLATFORM_CLI_NAMES,
      ),
    )
    .argument(
      '[script]',
      'script from stage/scripts/, such as plain or denied (default: a short meeting)',
    )
    .option(
      '--against <url>',
      'join this real meeting of your own, and write a report for a bug report',
    )
    .option('--account <name>', 'with --against: the bot account to join with (default: a guest)')
    .addOption(
      new Option(
        '--minutes <minutes>',
        'with --against: how long to stay in the call (default: 2)',
      ).argParser(parseMinutes),
    )
    .option('--report <file>', 'with --against: the file to write')
    .option('--json', 'print JSON')
    .action(run)
}

type Options = {
  against?: string
  account?: string
  minutes?: number
  report?: string
  json?: true
}

async function run(
  platform: RehearsalPlatformCliName | undefined,
  script: string | undefined,
  options: Options,
) {
  const misplaced = findMisplacedArgument(platform, options)
  if (misplaced !== null) throw new OperatorError(misplaced, 'Run hansard rehearse --help')
  if (options.against !== undefined) {
    const { runRehearsalAgainst } = await import('./rehearse-against.ts')
    return runRehearsalAgainst({ ...options, url: options.against })
  }
  const settings = loadConfig()
  const { rehearse } = await import('../../bots/rehearsal/rehearse.ts')
  const reports: RehearsalReportEntry[] = []
  for await (const report of rehearse({
    platforms: platform === undefined ? REHEARSAL_PLATFORM_CLI_NAMES : [platform],
    script,
    settings,
    selectorsFile: settings.selectorsFile,
    host: PROCESS_ENV_AND_HOME,
    cache: findCacheFolder(settings),
    log: createLog('silent'),
  })) {
    if (!options.json) printStep(report, reports.at(-1))
    reports.push(report)
  }
  const isHealthy = reports.every(({ ok }) => ok)
  if (options.json) printJson({ ok: isHealthy, steps: reports })
  if (!isHealthy) process.exitCode = 1
}

const OPTIONS_OF_AGAINST = ['account', 'minutes', 'report'] as const

/** The problem with arguments that don't fit together. Null if there is none. */
function findMisplacedArgument(platform: string | undefined, options: Options): string | null {
  if (options.against !== undefined)
    return platform === undefined
      ? null
      : 'With --against the link names the platform, so a platform and a script are not allowed'
  const option = OPTIONS_OF_AGAINST.find((name) => options[name] !== undefined)
  return option === undefined ? null : `--${option} works only together with --against`
}

function parseMinutes(value: string): number {
  const minutes = Number(value)
  if (/^\d{1,3}$/.test(value) && minutes >= 1 && minutes <= 120) return minutes
  throw new InvalidArgumentError('It must be a whole number from 1 to 120.')
}

function printStep(report: RehearsalReportEntry, last: RehearsalReportEntry | undefined): void {
  if (report.play !== '' && report.play !== last?.play) printLine(report.play)
  printCheckLine(report)
}
