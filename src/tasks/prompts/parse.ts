import { readFrontMatter } from '../../projects/front-matter.ts'
import { parseSettings, type PromptProblem, type PromptSettings } from './settings.ts'

export type PromptText = { settings: PromptSettings; body: string }

/** All but tab, line ends and form feed: what no text has and a binary file soon does. */
const CONTROL = /(?![\t\n\f\r])\p{Cc}/u
/** Also after blank lines and with a word behind it: somebody meant it to be read. */
const MEANT_AS_HEADER = /^\s*---(?!-)/

/** The bytes of a prompt file: settings from its front matter, if any, and the text after it. */
export function parsePrompt(bytes: Uint8Array): PromptText | PromptProblem[] {
  const text = decode(bytes)
  if (text === null) return [wholeFile('The file is not text in UTF-8')]
  if (CONTROL.test(text))
    return [wholeFile('The file has control characters, as if it were binary')]
  const header = readFrontMatter(text)
  if (header === null && MEANT_AS_HEADER.test(text)) {
    return [
      wholeFile(
        'The front matter cannot be read: it stands between two lines of --- from the first line on and is YAML of up to 64 KiB, without aliases and with each key once',
      ),
    ]
  }
  const settings = parseSettings(header?.fields ?? {})
  if (Array.isArray(settings)) return settings
  const body = text.slice(header?.bodyStart ?? 0)
  // What is built in needs no words.
  if (body.trim() === '' && settings.builtin === undefined)
    return [wholeFile('The prompt is empty')]
  return { settings, body }
}

export function wholeFile(message: string): PromptProblem {
  return { path: '', message }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
