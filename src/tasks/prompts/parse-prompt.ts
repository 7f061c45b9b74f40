import { readFrontMatter } from '../../projects/front-matter.ts'
import { parsePromptSettings, type PromptProblem, type PromptSettings } from './prompt-settings.ts'

export type ParsedPrompt = { settings: PromptSettings; body: string }

/** All but tab, line ends and form feed: what no text has and a binary file soon does. */
const CONTROL_CHARACTER = /(?![\t\n\f\r])\p{Cc}/u
/** Also after blank lines and with a word behind it: somebody meant it to be read. */
const LOOKS_LIKE_FRONT_MATTER = /^\s*---(?!-)/

/** The bytes of a prompt file: settings from its front matter, if any, and the text after it. */
export function parsePrompt(bytes: Uint8Array): ParsedPrompt | PromptProblem[] {
  const text = decodeUtf8(bytes)
  if (text === null) return [toFileProblem('The file is not text in UTF-8')]
  if (CONTROL_CHARACTER.test(text))
    return [toFileProblem('The file has control characters, as if it were binary')]
  const header = readFrontMatter(text)
  if (header === null && LOOKS_LIKE_FRONT_MATTER.test(text)) {
    return [
      toFileProblem(
        'The front matter cannot be read: it stands between two lines of --- from the first line on and is YAML of up to 64 KiB, without aliases and with each key once',
      ),
    ]
  }
  const settings = parsePromptSettings(header?.fields ?? {})
  if (Array.isArray(settings)) return settings
  const body = text.slice(header?.bodyStart ?? 0)
  // What is built in needs no words.
  if (body.trim() === '' && settings.builtin === undefined)
    return [toFileProblem('The prompt is empty')]
  return { settings, body }
}

export function toFileProblem(message: string): PromptProblem {
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
