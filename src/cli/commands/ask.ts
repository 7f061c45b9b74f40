import type { Command } from 'commander'
import { HansardError, type Answer, type AnswerCitation, type AnswerSentence } from 'hansard/client'
import { loadClientSettings } from '../../config/load-config.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { askForApiKey } from '../ask-secrets.ts'
import { explainClientError, openClient } from '../open-client.ts'
import { printJson, printLine } from '../output.ts'
import { SERVICE_OPTION } from '../service-options.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type Options = {
  project?: string
  meeting?: string
  from?: string
  to?: string
  service?: string
  json?: true
}

const HELP = `
The answer cites lines of transcripts and documents, which are listed below it with links to the console. Without a
language model (HANSARD_AI_ASK_MODEL, HANSARD_AI_MODEL) statements of recaps answer questions about decisions, action
items and open questions; for other questions the passages are listed that most likely hold the answer. The API key is
read from HANSARD_API_KEY or prompted for.`

/** Why there is no complete answer of a language model, in words for people. */
const REASONS: Readonly<Record<NonNullable<Answer['reason']>, string>> = {
  no_passages: 'No text has a word of the question.',
  no_model: 'No language model is configured.',
  budget: 'The budget for language models is used up.',
  model_failed: 'The language model failed.',
  model_timeout: 'The language model did not answer in time.',
  model_truncated: 'The language model did not finish its answer.',
  no_citations: 'The language model cited no lines for its answer, so the answer is not shown.',
  too_many_statements:
    'There are more statements. Limit the question with --project, --from or --to.',
}

/** For a question that only a model could have answered. */
const NO_PASSAGES_TEXT = 'Nothing contains the words of your question.'

export function registerAskCommand(program: Command): void {
  program
    .command('ask')
    .description('ask a running service a question about its meetings and documents')
    .argument('<question>', 'the question, in quotes')
    .option('--project <id>', 'only texts of this project')
    .option('--meeting <id>', 'only what was said in this meeting')
    .option('--from <time>', 'only texts since then, such as 2026-11-15T08:30:00Z')
    .option('--to <time>', 'only texts before then')
    .option(...SERVICE_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(askQuestion)
}

async function askQuestion(question: string, options: Options): Promise<void> {
  const { project, meeting, from, to, service, json } = options
  const settings = loadClientSettings()
  const apiKey = settings.apiKey ?? (await askForApiKey())
  const client = openClient(service, { url: settings.url, apiKey })
  const body = {
    question,
    ...omitUndefined({ project, meetingId: meeting, from, to }),
  }
  try {
    if (json) return printJson(await client.ask.question(body))
    const sourceNumbers = createSourceNumbers()
    for await (const { event, data } of client.ask.stream(body)) {
      if (event === 'sentence') printSentence(data as AnswerSentence, sourceNumbers)
      if (event === 'done')
        printSources(data as Answer, { sourceNumbers, url: service ?? settings.url })
    }
  } catch (error) {
    if (error instanceof HansardError) throw explainClientError(error, service ?? settings.url)
    throw error
  }
}

/** Numbers the cited lines from 1, in the order in which they are cited. */
type SourceNumbers = { numberOf(citationNumber: number): number }

function createSourceNumbers(): SourceNumbers {
  const numbers = new Map<number, number>()
  return {
    numberOf(citationNumber) {
      const number = numbers.get(citationNumber) ?? numbers.size + 1
      numbers.set(citationNumber, number)
      return number
    },
  }
}

function printSentence(
  { text, citationNumbers }: AnswerSentence,
  { numberOf }: SourceNumbers,
): void {
  const numbers = citationNumbers.map((number) => `[${numberOf(number)}]`).join('')
  printLine(`${escapeControlCharacters(text)} ${numbers}`)
}

type PrintOptions = {
  sourceNumbers: SourceNumbers
  /** The address of the service, for links. */
  url: string
}

/** Prints the sources of the sentences, or the passages if there are no sentences. */
function printSources(
  { found, method, reason, error, answer, citations, passages }: Answer,
  { sourceNumbers, url }: PrintOptions,
): void {
  if (!found) printLine(answer ?? NO_PASSAGES_TEXT)
  if (reason !== null) {
    const prefix = reason === 'model_failed' ? `${REASONS[reason]} ` : ''
    const cause = error === null ? REASONS[reason] : `${prefix}${error}`
    process.stderr.write(`${escapeControlCharacters(cause)}\n`)
  }
  if (!found) return
  if (method === 'passages') {
    printLine('Passages that may hold the answer, best first:')
    for (const [i, line] of passages.entries()) printSource(i + 1, line, url)
    return
  }
  printLine('')
  const sources = citations.map((line) => ({ number: sourceNumbers.numberOf(line.number), line }))
  for (const { number, line } of sources.toSorted((a, b) => a.number - b.number))
    printSource(number, line, url)
}

function printSource(number: number, line: AnswerCitation, url: string): void {
  const { kind, project, title, path, text } = line
  const time = `${line.timestamp.slice(0, 16).replace('T', ' ')} UTC`
  const place =
    kind === 'segment'
      ? `${title}, ${time}, ${line.speaker || 'Unknown speaker'}`
      : `${title}, ${project}/${path} line ${line.line}`
  const said = text.replaceAll(/\s+/g, ' ').trim()
  printLine(escapeControlCharacters(`[${number}] ${place}: ${said}`))
  printLine(`    ${linkToConsole(line, url)}`)
}

/** The page of the console that shows the line. */
function linkToConsole(line: AnswerCitation, url: string): string {
  const { kind, project, meetingId, segmentNumber, path } = line
  const base = url.replace(/\/+$/, '')
  if (kind === 'segment')
    return `${base}/meetings/${encodeURIComponent(meetingId ?? '')}#line-${segmentNumber}`
  const document = (path ?? '').split('/').map(encodeURIComponent).join('/')
  return `${base}/projects/${encodeURIComponent(project)}/${document}#L${line.line}`
}
