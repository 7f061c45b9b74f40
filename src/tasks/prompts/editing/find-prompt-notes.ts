import { memberIdOf, type Viewer } from '../../../access/viewer.ts'
import { ServiceError } from '../../../errors.ts'
import { findHeader } from '../../../projects/front-matter.ts'
import { parsePrompt, type ParsedPrompt, type PromptProblem } from '../parse-prompt.ts'
import type { Prompt } from '../prompt-files.ts'
import { MAX_PROMPT_BYTES } from '../store/prompt-storage.ts'
import { TemplateFailure } from '../template/template-failure.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import { createSampleInputs } from '../template/template-variables.ts'

/** A remark about the text of a prompt. An `error` prevents the prompt from running, a `warning` does not. */
export type PromptNote = {
  severity: 'error' | 'warning'
  /** The line in the file; null if it is about the whole file. */
  line: number | null
  message: string
}

export type CheckedTemplate = { notes: PromptNote[]; variables: string[] }

export type CheckedPromptText = CheckedTemplate & { prompt: ParsedPrompt | null }

/** Runs work for a viewer. Throws `too_many_requests` if too much work is already waiting. */
export type WithCheckPlace = <T>(viewer: Viewer, work: () => Promise<T>) => Promise<T>

const MAX_WAITING = 20
/** Keeps one person who sends many slow texts from taking all places. */
const MAX_WAITING_PER_PERSON = 4

export type TemplateCheck = (prompt: Prompt) => Promise<CheckedTemplate>

/** More than an instance has prompts, so that the gallery does not check the same texts at every request. */
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
  // A missing model is a fault of the text only if the text names the model. Otherwise the page says so elsewhere.
  const namesModel = parsed.settings.model !== undefined
  const problems = findSettingProblems(parsed).filter(({ path }) => path !== 'model' || namesModel)
  const notes = [...toLineNotes(text, problems), ...template.notes, ...findWarnings(parsed)]
  return { prompt: parsed, variables: template.variables, notes }
}

/** Renders the template with sample data, and finds unknown names in it. */
export async function checkTemplate(
  prompt: ParsedPrompt,
  renderer: TemplateRenderer,
): Promise<CheckedTemplate> {
  try {
    const { variables, unknown } = await renderer.analyze(prompt)
    const failure = await findRenderFailure(prompt, renderer)
    // Rendering stops at the first error and skips conditions that are false.
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

/** The page shows the line next to the message, so the message need not repeat it. */
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

/** The line of a setting in the front matter; the first line if it is not found. */
export function findKeyLine(text: string, path: string): number {
  const header = text.slice(0, findHeader(text)?.bodyStart ?? text.length).split('\n')
  let found = 0
  // A setting such as output.path is below the line of output. Numbers are positions in a list.
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

/** Limits how many checks and renders wait for the thread that does them. */
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

/** Checks the templates of prompts. A text without errors is checked only once. */
export function createTemplateCheck(renderer: TemplateRenderer): TemplateCheck {
  const bySha256 = new Map<string, CheckedTemplate>()
  return async (prompt) => {
    const remembered = bySha256.get(prompt.sha256)
    if (remembered !== undefined) return remembered
    const checked = await checkTemplate(prompt, renderer)
    // On a busy machine a time limit may be exceeded, so the next request tries again.
    if (checked.notes.some(({ severity }) => severity === 'error')) return checked
    const [oldest] = bySha256.keys()
    if (bySha256.size >= MAX_REMEMBERED && oldest !== undefined) bySha256.delete(oldest)
    bySha256.set(prompt.sha256, checked)
    return checked
  }
}
