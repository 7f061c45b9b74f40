/** A script that writes small words, such as `and` and `the`, together with the word that follows or precedes. */
type CliticScript = {
  letters: RegExp
  /** The small words before a word. What they leave is an additional form of the word in the index. */
  indexedPrefix: RegExp
  /** The small words that a search text may have before its word: only those that are never part of a word's own letters. */
  searchedPrefix: RegExp
  /** Endings that a search text may have after its word. */
  searchedSuffix: RegExp | null
}

const SCRIPTS: readonly CliticScript[] = [
  {
    letters: /^\p{Script=Arabic}+$/u,
    indexedPrefix: /^(?:[وف]?(?:[بك]?ال|لل)|[وف]?[بكلس]|[وف])/u,
    searchedPrefix: /^[وف]?(?:[بك]?ال|لل)/u,
    searchedSuffix: /(?:هما|كما|ها|هم|هن|كم|كن|نا|ون|ين|ان|ات|يه|ه|ي)$/u,
  },
  {
    letters: /^\p{Script=Hebrew}+$/u,
    indexedPrefix: /^(?:[וש]?[הבלמכ]|[וש])/u,
    searchedPrefix: /^ו?ה/u,
    searchedSuffix: null,
  },
]
const MIN_STEM_LENGTH = 3

/** The word without the small words before it, in all ways to read it: `والكتاب` can be `كتاب`. */
export function listStemsAfterClitics(word: string): string[] {
  const script = SCRIPTS.find(({ letters }) => letters.test(word))
  const [prefix = ''] = script?.indexedPrefix.exec(word) ?? []
  // A prefix of several letters can also be a shorter one, with the rest being part of the word.
  const lengths = prefix.includes('ال') ? [prefix.length] : [prefix.length, 1]
  return [...new Set(lengths)]
    .filter((length) => prefix !== '' && word.length - length >= MIN_STEM_LENGTH)
    .map((length) => word.slice(length))
}

/** The stem of a word in a search text, or null when it has none of the endings and small words. */
export function stripQueryWordClitics(word: string): string | null {
  const script = SCRIPTS.find(({ letters }) => letters.test(word))
  if (script === undefined) return null
  const strip = (text: string, pattern: RegExp | null) => {
    const stem = pattern === null ? text : text.replace(pattern, '')
    return stem.length >= MIN_STEM_LENGTH ? stem : text
  }
  const stem = strip(strip(word, script.searchedPrefix), script.searchedSuffix)
  return stem === word ? null : stem
}
