import { z } from 'zod'
import { findNearestName } from '../../lib/text/nearest-name.ts'
import { shortenName } from '../../lib/text/shorten-name.ts'
import { createIssueDescriber, MAX_PROBLEMS } from '../../lib/text/validation.ts'
import { isProjectId } from '../../projects/files/file-names.ts'
import { findFrontMatter } from '../../projects/front-matter.ts'

export type ParsedPrompt = {
  settings: PromptSettings
  body: string
  /** The line in the file where the body begins. */
  bodyLine: number
}

/** Control characters except tab, line ends and form feed. Text files have none, but binary files usually do. */
const CONTROL_CHARACTER = /(?![\t\n\f\r])\p{Cc}/u
/** Misplaced front matter, for example after blank lines. It is reported instead of sent as prompt text. */
const LOOKS_LIKE_FRONT_MATTER = /^\s*---(?!-)/

/** `path` is a key of the front matter, or empty if the problem is about the whole file. */
export type PromptProblem = { path: string; message: string }

export const DOCUMENT_READING_TOOL_NAMES = [
  'list_projects',
  'list_documents',
  'read_document',
  'search_documents',
] as const

const MODEL_NAME = /^(?:anthropic|openai|google|openai-compatible|builtin)\/[\x21-\x7e]+$/
const TOOL_NAME = /^[A-Za-z0-9][\w.:-]{0,63}$/
/** A path segment that is valid on every common file system. */
const PATH_PART = /^(?![. ])[^/\\:*?"<>|\p{C}]+(?<![. ])$/u

const project = z.string().refine(isProjectId, 'Not a valid project id')
const path = z
  .string()
  .max(200)
  .refine(
    (text) => text.endsWith('.md') && text.split('/').every((part) => PATH_PART.test(part)),
    'Must be a path inside the project that ends in .md, without . or .. and without special characters',
  )

const output = z.strictObject({
  save: z.boolean().default(true),
  path: path.optional(),
  mode: z.enum(['new', 'overwrite', 'append']).default('new'),
})

const settings = z.strictObject({
  description: z.string().max(500).optional(),
  model: z.string().max(200).regex(MODEL_NAME, 'Must have the form provider/model').optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).default(4096),
  tools: z
    .array(z.string().regex(TOOL_NAME, 'Not a valid tool name'))
    .max(50)
    .default(() => [...DOCUMENT_READING_TOOL_NAMES]),
  maxSteps: z.int().min(1).max(100).default(12),
  project: project.default('api'),
  projects: z
    .union([z.literal('*'), z.array(project).max(100)], {
      error: 'Must be a list of project ids, or "*" for all',
    })
    .default(() => []),
  output: output.default(() => output.parse({})),
  retries: z.int().min(0).max(3).default(0),
  /** Decides if missed due times are caught up on. If not set, HANSARD_TASKS_CATCH_UP decides. */
  catchUp: z.enum(['once', 'skip']).optional(),
  maxTokens: z.int().min(1).max(100_000_000).default(200_000),
  builtin: z.enum(['digest', 'action-items', 'stats', 'brief']).optional(),
})

export type PromptSettings = z.output<typeof settings>

const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(settings.shape),
  output: Object.keys(output.shape),
}

/** Parses a prompt file into the settings in its front matter, if any, and the text after it. */
export function parsePrompt(bytes: Uint8Array): ParsedPrompt | PromptProblem[] {
  const text = decodeUtf8(bytes)
  if (text === null) return [createPromptFileProblem('The file is not text in UTF-8')]
  if (CONTROL_CHARACTER.test(text))
    return [createPromptFileProblem('The file has control characters and may be binary')]
  const header = findFrontMatter(text)
  if (header === null && LOOKS_LIKE_FRONT_MATTER.test(text)) {
    return [
      createPromptFileProblem(
        'The front matter cannot be read: it must begin on the first line, stand between two lines of ---, and be YAML of up to 64 KiB without aliases, duplicate keys or deep nesting',
      ),
    ]
  }
  const settings = parsePromptSettings(header?.fields ?? {})
  if (Array.isArray(settings)) return settings
  const bodyStart = header?.bodyStart ?? 0
  const body = text.slice(bodyStart)
  // A built-in report needs no prompt text.
  if (body.trim() === '' && settings.builtin === undefined)
    return [createPromptFileProblem('The prompt is empty')]
  return { settings, body, bodyLine: text.slice(0, bodyStart).split('\n').length }
}

export function createPromptFileProblem(message: string): PromptProblem {
  return { path: '', message }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

export function formatPromptProblem({ path, message }: PromptProblem): string {
  return path === '' ? message : `${path}: ${message}`
}

/** A prompt's settings with all defaults, or all problems of its front matter. */
function parsePromptSettings(fields: Record<string, unknown>): PromptSettings | PromptProblem[] {
  const parsed = settings.safeParse(fields, { error: createIssueDescriber() })
  if (parsed.success) return parsed.data
  return parsed.error.issues.flatMap(toProblems).slice(0, MAX_PROBLEMS)
}

function toProblems(issue: z.core.$ZodIssue): PromptProblem[] {
  const parent = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path: parent, message: issue.message }]
  return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
    const name = shortenName(key)
    const suggestion = findNearestName(key, KNOWN_KEYS[parent] ?? [])
    const hint = suggestion === null ? '' : `; did you mean ${suggestion}?`
    return { path: parent === '' ? name : `${parent}.${name}`, message: `Unknown key${hint}` }
  })
}
