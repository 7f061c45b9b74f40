export const MAX_PROMPT_NAME_LENGTH = 128
export const PROMPT_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/

export const PROMPT_NAME_RULE_TEXT = `A prompt name consists of letters, digits, - and _; each part begins with a letter or digit; folders are separated by /; at most ${MAX_PROMPT_NAME_LENGTH} characters`

/** A prompt name is the path of its file in the prompts folder, without `.md`. */
export function isPromptName(name: string): boolean {
  return name.length <= MAX_PROMPT_NAME_LENGTH && PROMPT_NAME_PATTERN.test(name)
}

/** The lock of a prompt, for everyone who writes its file and for tasks that begin to use it. */
export function toPromptLockName(name: string): string {
  return `scheduled-prompts/${name}`
}
