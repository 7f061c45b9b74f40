import type { ScriptStep, PlaceholderWords } from './script-schema.ts'

/** Replaces `{n}` with the number of the repetition and `{name}` with the next word of the list `name`. */
export function fillTextPlaceholders(
  text: string,
  repetitionNumber: number,
  wordLists: PlaceholderWords,
): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    if (name === 'n') return String(repetitionNumber)
    const list = Object.hasOwn(wordLists, name) ? wordLists[name] : undefined
    return list?.[(repetitionNumber - 1) % list.length] ?? placeholder
  })
}

/** Fills every text of a step, including the ids of participants and captions. */
export function fillStepPlaceholders(
  step: ScriptStep,
  n: number,
  words: PlaceholderWords,
): ScriptStep {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillTextPlaceholders(value, n, words)
    return Array.isArray(value) ? value.map(fill) : value
  }
  return Object.fromEntries(
    Object.entries(step).map(([key, value]) => [key, fill(value)]),
  ) as unknown as ScriptStep
}
