import type { Step, Words } from './script.ts'

/** `{n}` becomes the number of the round, `{name}` the word of the list `name` whose turn it is. */
export function fillText(text: string, n: number, words: Words): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    if (name === 'n') return String(n)
    const list = Object.hasOwn(words, name) ? words[name] : undefined
    return list?.[(n - 1) % list.length] ?? placeholder
  })
}

/** Fills every text of a step, the ids of people and captions included. */
export function fillStep(step: Step, n: number, words: Words): Step {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillText(value, n, words)
    return Array.isArray(value) ? value.map(fill) : value
  }
  return Object.fromEntries(
    Object.entries(step).map(([key, value]) => [key, fill(value)]),
  ) as unknown as Step
}
