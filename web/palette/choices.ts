import type { ReactNode } from 'react'

/** One thing that the palette offers. */
export interface Choice {
  id: string
  label: ReactNode
  /** Smaller, after the label. */
  about?: string | undefined
  act: () => void | Promise<void>
}

export interface ChoiceGroup {
  name: string
  choices: Choice[]
}

/** Every word of the question begins a word of the name. */
export function fits(name: string, text: string): boolean {
  const words = name.toLocaleLowerCase().split(/\s+/)
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}
