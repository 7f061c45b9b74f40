import { readFileSync, statSync } from 'node:fs'
import { InvalidArgumentError, type Command } from 'commander'
import { type Config, findRecapModelName, toModelSettings } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { canonicalLanguageTag, LANGUAGE_TAG_ERROR } from '../../lib/text/language-tag.ts'
import { decodeTextFile } from '../../lib/text/decode-text-file.ts'
import { createLog } from '../../log.ts'
import type { TriedMeeting, TrialScores } from '../../recap/trial/try-model.ts'
import type { TrialUsage } from '../../recap/trial/trial-model.ts'
import { printJson, printLine, printTable } from '../output.ts'

type Options = {
  model?: string
  language?: string
  instructions?: string
  prompt?: string
  heldOut?: true
  limit?: number
  maxTokens: number
  json?: true
}

type Result = {
  model: string
  meetings: TriedMeeting[]
  total: TrialScores | null
  /** The rules for the meetings that the model made recaps of. */
  rules: TrialScores | null
  usage: TrialUsage
  /** Why the trial ended before the last meeting. Null if it did not. */
  stoppedBy: 'interrupt' | 'token limit' | null
}

/** Enough for about a hundred meetings of half an hour. */
const DEFAULT_MAX_TOKENS = 2_000_000
const MAX_PROMPT_BYTES = 40_000

const HELP = `
FOLDER has the annotations of the AMI corpus (ami_public_manual_1.6.2), or labelled meetings in one JSON file each, as
bench/recap-meetings in the source code; its README describes the format.
Each meeting is sent to the model with the settings of this instance, and the result is compared with the labels. Nothing is
stored. The tokens are not part of the budgets. Ctrl-C ends the trial and prints what is known.

Examples:
  hansard recap try bench/recap-meetings --model openai/gpt-5-mini
  hansard recap prompt > prompt.txt
  hansard recap try meetings --prompt prompt.txt --limit 10 --json`

/** Adds `try` and `prompt` to `hansard recap`. */
export function registerRecapTrialCommands(recap: Command): void {
  recap
    .command('try')
    .description('let a language model make the recaps of labelled meetings, and score them')
    .argument('<folder>', 'folder with labelled meetings')
    .option('--model <name>', 'model as provider/model (default: the model of recaps)')
    .option('--language <tag>', 'language to write in (default: of each meeting)', parseLanguage)
    .option('--instructions <file>', 'text file with instructions, as a project has them')
    .option('--prompt <file>', 'text file that replaces the rules for the model')
    .option('--held-out', 'only meetings that the rules were not made with')
    .option('--limit <count>', 'only the first meetings', parseCount)
    .option(
      '--max-tokens <count>',
      'send no request after this many tokens',
      parseCount,
      DEFAULT_MAX_TOKENS,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(tryFolder)
  recap
    .command('prompt')
    .description('print the rules that a language model gets, to change them for --prompt')
    .action(printPrompt)
}

async function printPrompt(): Promise<void> {
  const [{ formatRecapRules }, { DEFAULT_TEMPLATE }] = await Promise.all([
    import('../../recap/model/model-prompt.ts'),
    import('../../recap/template.ts'),
  ])
  const { sections } = DEFAULT_TEMPLATE
  printLine(formatRecapRules({ sections, language: null, hasInstructions: true }))
}

async function tryFolder(folder: string, options: Options): Promise<void> {
  const config = loadConfig()
  const [{ readLabelledMeetings }, { scoreRules, sumScores }, { TokenLimitReached }] =
    await Promise.all([
      import('../../recap/trial/labelled-meetings.ts'),
      import('../../recap/trial/try-model.ts'),
      import('../../recap/trial/trial-model.ts'),
    ])
  const meetings = readLabelledMeetings(folder)
    .filter(({ isHeldOut }) => isHeldOut || options.heldOut !== true)
    .slice(0, options.limit)
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort()
  const trial = await prepareTrial(config, options, interrupt.signal)
  const tried: TriedMeeting[] = []
  let stoppedBy: Result['stoppedBy'] = null
  process.once('SIGINT', onInterrupt)
  try {
    for await (const meeting of trial.run(meetings)) {
      tried.push(meeting)
      if (!options.json) printMeeting(meeting)
    }
  } catch (error) {
    if (error instanceof TokenLimitReached) stoppedBy = 'token limit'
    else if (interrupt.signal.aborted) stoppedBy = 'interrupt'
    else throw error
  } finally {
    process.off('SIGINT', onInterrupt)
  }
  const names = new Set(tried.filter(({ error }) => error === null).map(({ name }) => name))
  const result: Result = {
    model: trial.name,
    meetings: tried,
    total: sumScores(tried.flatMap(({ scores }) => scores ?? [])),
    rules: scoreRules(meetings.filter(({ name }) => names.has(name))),
    usage: trial.readUsage(),
    stoppedBy,
  }
  if (options.json) printJson(result)
  else await printResult(result, meetings.length)
  if (stoppedBy !== null || names.size < meetings.length) process.exitCode = 1
}

async function prepareTrial(config: Config, options: Options, signal: AbortSignal) {
  const name = options.model ?? findRecapModelName(config)
  if (name === null) {
    throw new OperatorError(
      'No language model is configured for recaps',
      'Set HANSARD_AI_RECAP_MODEL, or name one with --model provider/model',
    )
  }
  const [{ createModelFinder, findModelConfigProblem }, { readPrices }, { createTrialModel }] =
    await Promise.all([
      import('../../ai/providers.ts'),
      import('../../ai/prices.ts'),
      import('../../recap/trial/trial-model.ts'),
    ])
  const [{ tryModel }, { DEFAULT_TEMPLATE, MAX_INSTRUCTIONS_CHARS }] = await Promise.all([
    import('../../recap/trial/try-model.ts'),
    import('../../recap/template.ts'),
  ])
  const settings = toModelSettings(config)
  const problem = findModelConfigProblem(settings, name)
  if (problem !== null) throw new OperatorError(problem, 'Check --model and the settings')
  const { model, readUsage } = createTrialModel({
    models: createModelFinder(settings, createLog('silent')),
    prices: readPrices(config.aiPricesFile),
    name,
    maxTokens: options.maxTokens,
  })
  const { instructions: file, prompt, language = null } = options
  const instructions = file === undefined ? '' : readText(file).trim()
  if (instructions.length > MAX_INSTRUCTIONS_CHARS) {
    throw new OperatorError(`${file} has more than ${MAX_INSTRUCTIONS_CHARS} characters`)
  }
  const template = { ...DEFAULT_TEMPLATE, language, instructions }
  const systemPrompt = prompt === undefined ? undefined : readText(prompt)
  return {
    name,
    readUsage,
    run: (meetings: Parameters<typeof tryModel>[0]['meetings']) =>
      tryModel({ meetings, model, readUsage, template, systemPrompt, signal }),
  }
}

function readText(file: string): string {
  if (statSync(file).size > MAX_PROMPT_BYTES) {
    throw new OperatorError(`${file} is larger than ${MAX_PROMPT_BYTES / 1000} kB`)
  }
  const text = decodeTextFile(readFileSync(file))
  if (text === null) throw new OperatorError(`${file} is not a text file`)
  return text
}

function parseLanguage(text: string): string {
  const tag = canonicalLanguageTag(text)
  if (tag !== null) return tag
  throw new InvalidArgumentError(`${LANGUAGE_TAG_ERROR}.`)
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1.')
}

const PARTS = {
  actions: 'action items',
  decisions: 'decisions',
  openQuestions: 'open questions',
  summary: 'summary',
} as const satisfies Record<keyof TrialScores['exact'], string>
const PART_NAMES = Object.keys(PARTS) as Array<keyof typeof PARTS>

/** `printTable` escapes control characters, which an error or a file name may have. */
function printMeeting({ name, scores, error, languageProblem, usage }: TriedMeeting): void {
  const tokens = `${usage.inputTokens + usage.outputTokens} tokens`
  if (scores === null) return printTable([`FAIL  ${name}: ${error} (${tokens})`], [])
  const counts = PART_NAMES.filter((part) => scores.exact[part].labels > 0).map((part) => {
    const { entries, right, labels, found } = scores.exact[part]
    return `${PARTS[part]} ${right} of ${entries} right, ${found} of ${labels} found`
  })
  printTable([`ok    ${name}: ${counts.join('; ')} (${tokens})`], [])
  if (languageProblem !== null) printTable([`      ${languageProblem}`], [])
}

async function printResult(result: Result, count: number): Promise<void> {
  const { model, meetings, total, rules, usage, stoppedBy } = result
  const { formatPartScore } = await import('../../recap/trial/scores.ts')
  if (total !== null && rules !== null) {
    printLine('')
    const rows = PART_NAMES.filter((part) => total.exact[part].labels > 0).map((part) => [
      PARTS[part],
      ...[total.exact, total.near, rules.exact, rules.near].map((scores) =>
        formatPartScore(scores[part]),
      ),
    ])
    printTable(['PRECISION, RECALL', 'MODEL', 'WITHIN 2 LINES', 'RULES', 'WITHIN 2 LINES'], rows)
    if (total.actions !== null) {
      const { right, rightOwner, rightDue } = total.actions
      printLine(`owner right ${rightOwner} of ${right}, due date right ${rightDue} of ${right}`)
    }
  }
  printLine('')
  const failed = meetings.filter(({ error }) => error !== null).length
  const cost = usage.costUsd === null ? 'no price set' : `$${usage.costUsd.toFixed(4)}`
  printTable(
    [
      `${model}: ${meetings.length} of ${count} meetings, ${failed} failed; ${usage.requests} requests, ${usage.inputTokens} input and ${usage.outputTokens} output tokens, ${cost}`,
    ],
    [],
  )
  if (stoppedBy === 'token limit') printLine('Stopped, because --max-tokens were used.')
  if (stoppedBy === 'interrupt') printLine('Stopped by Ctrl-C.')
}
