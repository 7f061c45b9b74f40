const MAX_LENGTH = 128
const PROMPT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/

export const PROMPT_NAME_RULE = `A prompt's name has letters, digits, - and _, each part beginning with a letter or digit; folders are parted by /; ${MAX_LENGTH} characters at most`

/** The path of a prompt's file below the folder of prompts, without `.md`. */
export function isPromptName(name: string): boolean {
  return name.length <= MAX_LENGTH && PROMPT_NAME.test(name)
}
