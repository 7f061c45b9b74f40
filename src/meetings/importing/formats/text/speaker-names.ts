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
  const first = Math.max(
    0,
    turns.findIndex(({ speaker }) => repeated.has(speaker)),
  )
  const conversation = turns.slice(first)
  const sentences = conversation.filter(isSentence).length
  const areMostSentences = sentences * 2 >= conversation.length
  if (areHeadings(names) && !areMostSentences) return new Set()
  const facts =
    repeated.size > 1 && areMostSentences
      ? turns
          .slice(0, first)
          .filter((turn) => !isSentence(turn) && turn.block !== turns[first]?.block)
      : []
  return new Set(names).difference(new Set(facts.map(({ speaker }) => speaker)))
}

function isSentence({ text }: PossibleTurn): boolean {
  return SENTENCE_END.test(text)
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
