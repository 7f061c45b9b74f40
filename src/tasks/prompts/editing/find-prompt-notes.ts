import { memberIdOf, type Viewer } from '../../../access/viewer.ts'
import { ServiceError } from '../../../errors.ts'
import { findFrontMatter } from '../../../projects/front-matter.ts'
import { parsePrompt, type ParsedPrompt, type PromptProblem } from '../parse-prompt.ts'
import type { Prompt } from '../prompt-files.ts'
import { MAX_PROMPT_BYTES } from '../store/prompt-storage.ts'
import { TemplateFailure } from '../template/template-failure.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import { createSampleInputs } from '../template/template-variables.ts'

/** Something about the text of a prompt. An `error` prevents it from running, a `warning` does not. */
export type PromptNote = {
  severity: 'error' | 'warning'
  /** The line of the file; null for the file as a whole. */
  line: number | null
  message: string
}

export type CheckedTemplate = { notes: PromptNote[]; variables: string[] }

export type CheckedPromptText = CheckedTemplate & { prompt: ParsedPrompt | null }

/** Runs work for a viewer, or throws `too_many_requests` when too much of it waits already. */
export type WithCheckPlace = <T>(viewer: Viewer, work: () => Promise<T>) => Promise<T>

const MAX_WAITING = 20
/** One person who sends many slow texts does not take the places of all. */
const MAX_WAITING_PER_PERSON = 4

export type TemplateCheck = (prompt: Prompt) => Promise<CheckedTemplate>

/** More than the prompts of an instance, so that the gallery does not check the same texts at every request. */
const MAX_REMEMBERED = 1000

/** Finds everything that a person who edits a prompt should know about its text. */
export async function checkPromptText(
  text: string,
  renderer: TemplateRenderer,
  findSettingProblems: (prompt: ParsedPrompt) => PromptProblem[],
): Promise<CheckedPromptText> {
  const bytes = Buffer.from(text)
  const nothing = { prompt: null, variables: [] }
  if (bytes.length > MAX_PROMPT_BYTES)
    return {
      ...nothing,
      notes: [toError(`The text is longer than ${MAX_PROMPT_BYTES / 1024} KiB`)],
    }
  const parsed = parsePrompt(bytes)
  if (Array.isArray(parsed)) return { ...nothing, notes: toLineNotes(text, parsed) }
  const template = await checkTemplate(parsed, renderer)
  // A model is missing through a fault of the text only if the text names it. The page says otherwise in its own place.
  const namesModel = parsed.settings.model !== undefined
  const problems = findSettingProblems(parsed).filter(({ path }) => path !== 'model' || namesModel)
  const notes = [...toLineNotes(text, problems), ...template.notes, ...findWarnings(parsed)]
  return { prompt: parsed, variables: template.variables, notes }
}

/** Renders the template with sample data, and finds the names in it that are no variables. */
export async function checkTemplate(
  prompt: ParsedPrompt,
  renderer: TemplateRenderer,
): Promise<CheckedTemplate> {
  try {
    const { variables, unknown } = await renderer.analyze(prompt)
    const failure = await findRenderFailure(prompt, renderer)
    // Rendering stops at the first error, and skips what is inside of a condition that does not hold.
    const severity = failure === null ? 'warning' : 'error'
    const notes = unknown.map(({ line, message }): PromptNote => ({ severity, line, message }))
    const isListed = notes.some(({ line }) => line === failure?.line)
    return { variables, notes: failure === null || isListed ? notes : [failure, ...notes] }
  } catch (error) {
    if (error instanceof TemplateFailure) return { variables: [], notes: [toNote(error)] }
    throw error
  }
}

async function findRenderFailure(
  prompt: ParsedPrompt,
  renderer: TemplateRenderer,
): Promise<PromptNote | null> {
  try {
    await renderer.render(prompt, createSampleInputs())
    return null
  } catch (error) {
    if (error instanceof TemplateFailure) return toNote(error)
    throw error
  }
}

/** The page shows the line beside the message, so the message does not repeat it. */
function toNote({ message, line }: TemplateFailure): PromptNote {
  return { severity: 'error', line, message: message.replace(/ \(line \d+\)$/, '') }
}

function findWarnings({ settings }: ParsedPrompt): PromptNote[] {
  if (settings.description !== undefined && settings.description.trim() !== '') return []
  const message = 'Add a description, so that others know what the prompt is for'
  return [{ severity: 'warning', line: 1, message }]
}

function toError(message: string): PromptNote {
  return { severity: 'error', line: null, message }
}

function toLineNotes(text: string, problems: readonly PromptProblem[]): PromptNote[] {
  return problems.map(({ path, message }) => ({
    severity: 'error',
    line: path === '' ? null : findKeyLine(text, path),
    message: path === '' ? message : `${path}: ${message}`,
  }))
}

/** The line on which a setting of the front matter stands; the first line when it is not found. */
export function findKeyLine(text: string, path: string): number {
  const header = text.slice(0, findFrontMatter(text)?.bodyStart ?? text.length).split('\n')
  let found = 0
  // A setting such as output.path stands below the line of output. Numbers are places in a list.
  for (const key of path.split('.').filter((part) => !/^\d+$/.test(part))) {
    const at = header.findIndex((line, i) => i >= found && isLineOfKey(line, key))
    if (at === -1) break
    found = at
  }
  return found + 1
}

function isLineOfKey(line: string, key: string): boolean {
  const start = line.trimStart().replace(/^["'{]\s*/, '')
  return start.startsWith(key) && /^["']?\s*:/.test(start.slice(key.length))
}

/** The places in front of the thread that checks and renders texts for people. */
export function createCheckPlaces(): WithCheckPlace {
  const waiting: Array<string | null> = []
  return async (viewer, work) => {
    const person = memberIdOf(viewer)
    const ofPerson = waiting.filter((one) => one === person).length
    if (waiting.length >= MAX_WAITING || ofPerson >= MAX_WAITING_PER_PERSON)
      throw new ServiceError('too_many_requests', { retryAfterSeconds: 5 })
    waiting.push(person)
    try {
      return await work()
    } finally {
      waiting.splice(waiting.indexOf(person), 1)
    }
  }
}

/** Checks the templates of prompts, each text without errors once. */
export function createTemplateCheck(renderer: TemplateRenderer): TemplateCheck {
  const bySha256 = new Map<string, CheckedTemplate>()
  return async (prompt) => {
    const remembered = bySha256.get(prompt.sha256)
    if (remembered !== undefined) return remembered
    const checked = await checkTemplate(prompt, renderer)
    // A busy machine can exceed a limit of time, so the next request tries again.
    if (checked.notes.some(({ severity }) => severity === 'error')) return checked
    const [oldest] = bySha256.keys()
    if (bySha256.size >= MAX_REMEMBERED && oldest !== undefined) bySha256.delete(oldest)
    bySha256.set(prompt.sha256, checked)
    return checked
  }
}
