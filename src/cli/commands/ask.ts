import type { Command } from 'commander'
import { HansardError, type Answer, type AnswerCitation, type AnswerSentence } from 'hansard/client'
import { loadClientSettings } from '../../config/load-config.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { askForApiKey } from '../ask-secrets.ts'
import { explainClientError, openClient } from '../open-client.ts'
import { printJson, printLine } from '../output.ts'

type Options = {
  project?: string
  meeting?: string
  from?: string
  to?: string
  service?: string
  json?: true
}

const HELP = `
The answer cites lines of transcripts and documents, which are listed below it. Without a language model
(HANSARD_AI_ASK_MODEL, HANSARD_AI_MODEL) the passages are listed that most likely hold the answer. The API key is read
from HANSARD_API_KEY or prompted for.`

/** Why there is no complete answer of a language model, in words for people. */
const REASONS: Readonly<Record<NonNullable<Answer['reason']>, string>> = {
  no_passages: 'No text has a word of the question.',
  no_model: 'No language model is configured.',
  budget: 'The budget for language models is used up.',
  model_failed: 'The language model failed.',
  model_timeout: 'The language model did not answer in time.',
  model_truncated: 'The language model did not finish its answer.',
  no_citations: 'The language model cited no lines for its answer, so the answer is not shown.',
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
    .option(
      '--service <url>',
      'address of the service (default: HANSARD_URL, or http://127.0.0.1:8080)',
    )
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
    ...(project !== undefined && { project }),
    ...(meeting !== undefined && { meetingId: meeting }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  try {
    if (json) return printJson(await client.ask.question(body))
    for await (const { event, data } of client.ask.stream(body)) {
      if (event === 'sentence') printSentence(data as AnswerSentence)
      if (event === 'done') printSources(data as Answer)
    }
  } catch (error) {
    if (error instanceof HansardError) throw explainClientError(error, service ?? settings.url)
    throw error
  }
}

function printSentence({ text, citationNumbers }: AnswerSentence): void {
  const numbers = citationNumbers.map((number) => `[${number}]`).join('')
  printLine(`${escapeControlCharacters(text)} ${numbers}`)
}

/** Prints the sources of the sentences, or the passages if there are no sentences. */
function printSources({ found, method, reason, error, answer, citations, passages }: Answer): void {
  if (!found) printLine(answer ?? NO_PASSAGES_TEXT)
  if (reason !== null) {
    const prefix = reason === 'model_failed' ? `${REASONS[reason]} ` : ''
    const cause = error === null ? REASONS[reason] : `${prefix}${error}`
    process.stderr.write(`${escapeControlCharacters(cause)}\n`)
  }
  if (!found) return
  const isPassages = method === 'passages'
  printLine(isPassages ? 'Passages that may hold the answer, best first:' : '')
  for (const line of isPassages ? passages : citations) printLine(formatSource(line))
}

function formatSource(line: AnswerCitation): string {
  const { number, kind, project, title, meetingId, segmentNumber, path, text } = line
  const time = `${line.timestamp.slice(0, 16).replace('T', ' ')} UTC`
  const place =
    kind === 'segment'
      ? `${title}, ${time}, ${meetingId} segment ${segmentNumber}, ${line.speaker}`
      : `${title}, ${project}/${path} line ${line.line}`
  return escapeControlCharacters(`[${number}] ${place}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
}
