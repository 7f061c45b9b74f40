import type { ReactNode } from 'react'

/** One thing that the palette offers. */
export interface Command {
  id: string
  label: ReactNode
  /** Smaller, after the label. */
  detail?: string | undefined
  run: () => void | Promise<void>
}

export interface CommandGroup {
  name: string
  commands: Command[]
}

/** Every word of the question begins a word of the name. */
export function matchesWordPrefixes(name: string, text: string): boolean {
  const words = name.toLocaleLowerCase().split(/\s+/)
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}
