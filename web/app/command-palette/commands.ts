import type { ReactNode } from 'react'

export interface Command {
  id: string
  label: ReactNode
  /** Secondary text after the label. */
  detail?: string | undefined
  run: () => void | Promise<void>
}

export interface CommandGroup {
  name: string
  commands: Command[]
}

/** True if every typed word is the beginning of a word in the command's name. */
export function matchesWordPrefixes(commandName: string, typedText: string): boolean {
  const words = commandName.toLocaleLowerCase().split(/\s+/)
  const prefixes = typedText.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))
}
