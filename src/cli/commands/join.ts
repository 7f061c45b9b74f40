import { InvalidArgumentError, Option, type Command } from 'commander'
import { HansardError } from 'hansard/client'
import { loadClientSettings } from '../../config/load-config.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { askForApiKey } from '../ask-secrets.ts'
import { explainClientError, openClient } from '../open-client.ts'
import { printJson, printLine } from '../output.ts'
import { createSpeechOption, SERVICE_OPTION, type SpeechModeOption } from '../service-options.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

const CAPTURES = ['bot', 'official', 'both'] as const

type Options = {
  at?: Date
  title?: string
  project?: string
  account?: string
  language?: string
  recapLanguage?: string
  speech?: SpeechModeOption
  capture?: (typeof CAPTURES)[number]
  callback?: string
  document: boolean
  service?: string
  json?: true
}

const HELP = `
Examples:
  hansard join https://meet.google.com/abc-defg-hij
  hansard join https://meet.google.com/abc-defg-hij --at 2026-11-20T09:00 --title "Review" --project sales
  hansard join practice://standup --at 2026-11-20T08:00:00Z

A time without an offset is in the time zone of this machine. The bot prepares shortly before. Until then the meeting can
be stopped or moved in the console or with the API. The API key is read from HANSARD_API_KEY or prompted for.`

/** The events of a meeting without a callback URL are only read in the console and with the API. */
const NO_CALLBACK = { callbackUrl: 'listen:nobody', events: [] }

export function registerJoinCommand(program: Command): void {
  program
    .command('join')
    .description('send a bot of a running service to a meeting, now or at a later time')
    .argument('<link>', 'the meeting link')
    .option('--at <time>', 'when the bot joins, such as 2026-11-20T09:00 (default: now)', parseTime)
    .option('--title <title>', 'label for the meeting')
    .option('--project <id>', 'project to save the transcript into (default: api)')
    .option('--account <name>', 'bot account to join with (default: as a guest)')
    .option('--language <tag>', 'language of the captions, such as en-US')
    .option('--recap-language <tag>', 'language of the recap, such as de')
    .addOption(createSpeechOption())
    .addOption(
      new Option('--capture <mode>', 'what a bot records, the official transcript, or both')
        .choices(CAPTURES)
        .default(undefined, 'bot'),
    )
    .option('--callback <url>', 'URL that receives the events (default: none)')
    .option('--no-document', 'save no transcript document')
    .option(...SERVICE_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(joinMeeting)
}

async function joinMeeting(url: string, options: Options): Promise<void> {
  const { at, title, project, account, language, recapLanguage, speech, capture, ...rest } = options
  const { callback, document, service, json } = rest
  const settings = loadClientSettings()
  const apiKey = settings.apiKey ?? (await askForApiKey())
  const client = openClient(service, { url: settings.url, apiKey })
  try {
    const started = await client.meetings.start({
      url,
      ...(callback === undefined ? NO_CALLBACK : { callbackUrl: callback }),
      ...(at !== undefined && { joinAt: at.toISOString() }),
      ...omitUndefined({ title, project, account, language, recapLanguage, speech, capture }),
      ...(!document && { saveTranscript: false }),
    })
    if (json) return printJson(started)
    const { meetingId, joinAt, warnings = [] } = started
    const now = capture === 'official' ? 'Waiting for the transcript of' : 'Joining'
    printLine(joinAt === null ? `${now} ${meetingId}` : `Scheduled ${meetingId} for ${joinAt}`)
    for (const { message } of warnings)
      process.stderr.write(`${escapeControlCharacters(message)}\n`)
  } catch (error) {
    if (error instanceof HansardError) throw explainClientError(error, service ?? settings.url)
    throw error
  }
}

/** Months and days as numbers, so that their order is unambiguous. */
const TIME_FORM =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/i

function parseTime(text: string): Date {
  const time = TIME_FORM.test(text) ? new Date(text.replace(' ', 'T')) : null
  if (time === null || Number.isNaN(time.getTime()) || !isExistingDay(text.slice(0, 10)))
    throw new InvalidArgumentError('Give a time such as 2026-11-20T09:00 or 2026-11-20T08:00:00Z.')
  return time
}

/** False for a day such as 30 February, which `Date` would read as a day of the next month. */
function isExistingDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
