/** A speaker usually returns. More names without a return are headings. */
const MAX_UNREPEATED_NAMES = 3
const SENTENCE_END = /[.?!…。？！]["'”’»)]*$/u

/** A turn that may begin with the name of a speaker. `block` counts the paragraphs of the file. */
export type PossibleTurn = { speaker: string; text: string; block: number }

/** Whether what stands above the parts of a text are headings: many, and none of them returns. */
export function areHeadings(names: readonly string[]): boolean {
  return names.length > MAX_UNREPEATED_NAMES && new Set(names).size === names.length
}

/**
 * Which names in front of texts behave like speakers. If few lines have a name, two people have to talk in turns. What
 * stands once above the conversation and is followed by no sentence is a fact about it, such as `Project: Apollo`.
 */
export function findSpeakers(
  turns: readonly PossibleTurn[],
  areMostNamed: boolean,
): ReadonlySet<string> {
  const names = turns.map(({ speaker }) => speaker)
  const repeated = findRepeated(names)
  if (!areMostNamed) return areTakingTurns(names, repeated) ? repeated : new Set()
  if (areHeadings(names)) return new Set()
  const first = turns.findIndex(({ speaker }) => repeated.has(speaker))
  const conversation = turns.slice(Math.max(0, first))
  const sentences = conversation.filter(({ text }) => SENTENCE_END.test(text)).length
  const hasHead = repeated.size > 1 && sentences * 2 >= conversation.length
  const spoken = turns.filter(
    ({ text, block }, i) =>
      i >= first || !hasHead || block === conversation[0]?.block || SENTENCE_END.test(text),
  )
  return new Set(spoken.map(({ speaker }) => speaker))
}

function findRepeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return repeated
}

/** Whether somebody speaks again after another. */
function areTakingTurns(names: readonly string[], repeated: ReadonlySet<string>): boolean {
  const turns = names.filter((name, i, all) => repeated.has(name) && name !== all[i - 1])
  return turns.length > new Set(turns).size && new Set(turns).size > 1
}
