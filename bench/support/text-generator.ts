const VOCABULARY = 20_000
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ')

/** Makes texts in which some words are much more frequent than others. The same seed gives the same texts. */
export function createTextGenerator(seed: number) {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  /** A word whose rank is in this range. Rank 1 is the most frequent. */
  const wordOfRank = (from: number, to: number) =>
    toWord(Math.floor(from * (to / from) ** random()))
  return {
    wordOfRank,
    text: (words: number) =>
      Array.from({ length: words }, () => wordOfRank(1, VOCABULARY)).join(' '),
  }
}

function toWord(rank: number): string {
  let rest = rank
  let word = ''
  do {
    word += SYLLABLES[rest % SYLLABLES.length] ?? ''
    rest = Math.floor(rest / SYLLABLES.length)
  } while (rest > 0)
  // The ending keeps one word from being the beginning of another.
  return `${word}n`
}
