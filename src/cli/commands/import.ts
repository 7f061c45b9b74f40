import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { HansardError, type Client } from 'hansard/client'
import { loadClientSettings } from '../../config/load-config.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { decodeTextFile } from '../../lib/text/decode-text-file.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { askForApiKey } from '../ask-secrets.ts'
import { openClient } from '../open-client.ts'
import { printJson, printLine } from '../output.ts'
import { SERVICE_OPTION } from '../service-options.ts'
import { followRecording, isRecordingName, sendRecording } from '../send-recording.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type Options = {
  project?: string
  format?: string
  title?: string
  startedAt?: string
  timeZone?: string
  language?: string
  wait: boolean
  service?: string
  json?: true
}

type ImportBody = Parameters<Client['meetings']['import']>[0]
type ApiRecording = Awaited<ReturnType<Client['recordings']['get']>>
type Imported = Awaited<ReturnType<Client['meetings']['import']>>

type FileResult = { file: string } & (
  | { imported: Imported }
  | { recording: ApiRecording }
  | { error: string }
)

/** The command's options by request field, for the service's errors and warnings about a field. */
const OPTIONS: Readonly<Record<string, string>> = {
  project: '--project',
  format: '--format',
  title: '--title',
  startedAt: '--started-at',
  timeZone: '--time-zone',
  language: '--language',
}

/** The service refuses such a transcript anyway. This only keeps it from being read into memory. */
const MAX_FILE_BYTES = 40 * 1024 * 1024

const NOT_TEXT =
  'This is not a text file. The name of a recording ends with .wav, .mp3, .ogg, .webm, .mp4 or .m4a'

const HELP = `
Subtitles, and transcripts of Hansard, Google Meet, Microsoft Teams, Zoom, Otter, Fireflies, Fathom, Granola, Vexa, Whisper
and speech services are recognised by their content, and other text is read as well: docs/import.md. The files are sent one after the other, and a line
with the result and one with a link to the meeting are printed for each. WAV, MP3, Ogg, WebM, MP4 and M4A files are recordings:
their speech is recognized by the service, which takes a while, and the command waits for it. The exit code is 1 if one of them was not imported. The API key is read from HANSARD_API_KEY or prompted for.`

export function registerImportCommand(program: Command): void {
  program
    .command('import')
    .description('import transcripts of other products, or recordings, into a running service')
    .argument('<file...>', 'transcripts or recordings')
    .option('--project <id>', 'project to save the transcripts into')
    .option('--format <name>', 'format of the files, if it is not recognised')
    .option('--title <text>', 'title of the meeting; default the one in the file, or its name')
    .option('--started-at <time>', 'when the meeting started, such as 2026-11-15T08:30:00Z')
    .option('--time-zone <name>', 'time zone of dates in the files, such as Europe/Berlin')
    .option('--language <tag>', 'language of the speech in recordings, such as de; default English')
    .option('--no-wait', 'do not wait until recordings are recognized')
    .option(...SERVICE_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(importFiles)
}

async function importFiles(files: string[], options: Options): Promise<void> {
  const settings = loadClientSettings()
  const apiKey = settings.apiKey ?? (await askForApiKey())
  const client = openClient(options.service, { url: settings.url, apiKey })
  const results: FileResult[] = []
  for (const file of files) {
    const result = await importFile(client, file, options)
    results.push(result)
    if (!options.json) printResult(result, options.service ?? settings.url)
  }
  if (options.json) printJson(results)
  if (results.some((result) => 'error' in result)) process.exitCode = 1
}

/** Sending, reading and storing the largest file takes minutes on a slow connection. */
const TIMEOUT_MS = 300_000

async function importFile(client: Client, file: string, options: Options): Promise<FileResult> {
  if (isRecordingName(file)) return importRecording(client, file, options)
  const read = readFile(file)
  if ('error' in read) return { file, error: read.error }
  const { project, format, title, startedAt, timeZone } = options
  const body = {
    content: read.content,
    fileName: basename(file),
    ...omitUndefined({ project, format, title, startedAt, timeZone }),
    // The service checks the format's name, and names the formats that exist.
  } as ImportBody
  try {
    return { file, imported: await client.meetings.import(body, { timeoutMs: TIMEOUT_MS }) }
  } catch (error) {
    if (!(error instanceof HansardError)) throw error
    return { file, error: describeError(error) }
  }
}

async function importRecording(
  client: Client,
  file: string,
  { project, title, startedAt, timeZone, language, wait, json }: Options,
): Promise<FileResult> {
  const showProgress = (text: string) => {
    if (json !== true && process.stderr.isTTY) process.stderr.write(`\r\x1b[K${file}: ${text}`)
  }
  try {
    const fields = omitUndefined({ project, title, startedAt, timeZone, language })
    let recording = await sendRecording(client, file, fields, showProgress)
    if (wait) recording = await followRecording(client, recording, showProgress)
    return recording.state === 'failed'
      ? { file, error: recording.detail ?? 'The recording was not imported' }
      : { file, recording }
  } catch (error) {
    if (error instanceof HansardError) return { file, error: describeError(error) }
    if (errorCode(error) === '') throw error
    return { file, error: errorMessageOf(error) }
  } finally {
    showProgress('')
  }
}

function readFile(file: string): { content: string } | { error: string } {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) return { error: 'The file is larger than 20 MiB' }
    const content = decodeTextFile(readFileSync(file))
    return content === null ? { error: NOT_TEXT } : { content }
  } catch (error) {
    if (errorCode(error) === '') throw error
    return { error: errorMessageOf(error) }
  }
}

function describeError({ message, details, hint }: HansardError): string {
  const reasons = details.map(({ path, message: reason }) =>
    path === 'content' ? reason : `${OPTIONS[path] ?? path}: ${reason}`,
  )
  return [message, ...reasons, ...(hint === null ? [] : [hint])].join('. ')
}

function printResult(result: FileResult, serviceUrl: string): void {
  const { file } = result
  if ('error' in result) {
    process.stderr.write(`${escapeControlCharacters(`${file}: ${result.error}`)}\n`)
    return
  }
  if ('recording' in result) {
    const { state, detail, project, meetingId } = result.recording
    const text = meetingId === null ? `sent, ${state}` : `recognized, project ${project}`
    printLine(escapeControlCharacters(`${file}: ${text}${detail === null ? '' : ` (${detail})`}`))
    const path = meetingId === null ? '/meetings' : `/meetings/${meetingId}`
    printLine(`  ${new URL(path, serviceUrl).href}`)
    return
  }
  const { meetingId, segmentCount, format, project, warnings = [] } = result.imported
  const notes = warnings.map(({ path, message }) => {
    const option = OPTIONS[path]
    return option === undefined ? ` (${message})` : ` (${message}; use ${option} to change this)`
  })
  const segments = segmentCount === 1 ? '1 segment' : `${segmentCount} segments`
  const text = `${file}: ${segments}, ${format}, project ${project}${notes.join('')}`
  printLine(escapeControlCharacters(text))
  printLine(`  ${new URL(`/meetings/${meetingId}`, serviceUrl).href}`)
}
