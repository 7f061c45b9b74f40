import { findFrontMatter } from '../../projects/front-matter.ts'
import { parsePromptSettings, type PromptProblem, type PromptSettings } from './prompt-settings.ts'

export type ParsedPrompt = {
  settings: PromptSettings
  body: string
  /** The line of the file on which the body begins. */
  bodyLine: number
}

/** Control characters except tab, line ends and form feed. Text files have none, binary files usually do. */
const CONTROL_CHARACTER = /(?![\t\n\f\r])\p{Cc}/u
/** Front matter that its author misplaced, such as after blank lines. It is reported instead of sent as prompt text. */
const LOOKS_LIKE_FRONT_MATTER = /^\s*---(?!-)/

/** Parses a prompt file into the settings of its front matter, if any, and the text after it. */
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
