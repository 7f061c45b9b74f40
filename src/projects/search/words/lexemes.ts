import { type SearchToken, listCompoundWordTails } from './tokenize.ts'

/** What the index stores for a token of a text. A search matches any of these. */
export type TokenLexemes = {
  /** The word itself, or two adjacent characters in a script without spaces. */
  word: string
  /** For a hyphenated word, at its first and last token, the word without hyphens: `email` for `e-mail`. */
  joined: string | null
  /** Parts of the word. They rank below whole words. */
  parts: readonly string[]
}

const HYPHEN = /^[-\u00ad\u2010\u2011]$/
const MAX_JOINED_TOKENS = 4
const MAX_JOINED_LENGTH = 40
const LETTER = /\p{L}/u

const LATIN = /^[a-z0-9]+$/
const VERSION = /^v(\d+)$/

/** A script that attaches small words, such as `and` and `the`, to the next or previous word. */
type CliticScript = {
  letters: RegExp
  /** Small words before a word. The rest is stored in the index as an additional form of the word. */
  indexedPrefix: RegExp
  /** Small words that a search text may have before its word. Only those that cannot be part of the word itself. */
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

const HANGUL = /^\p{Script=Hangul}+$/u

/** A word of a search. With `isPrefix`, it also matches longer words that begin with it. */
export type QueryWord = { word: string; isPrefix: boolean }

/** Shorter prefixes match too many words. One Korean syllable carries as much meaning as several letters. */
const MIN_PREFIX_LENGTH = 3
const MIN_KOREAN_PREFIX_LENGTH = 2

/** Particles that are attached to the end of a noun. */
const PARTICLES =
  '은 는 이 가 을 를 의 에 와 과 도 로 만 들 에서 으로 에게 까지 부터 이나 하고 보다 처럼'.split(
    ' ',
  )
/** Further endings: of verbs that are made from a noun, and of several particles in a row. */
const VERB_ENDINGS =
  '하였습니다 되었습니다 했습니다 합니다 됐습니다 됩니다 입니다 이었습니다 였습니다 하는 하다 했다 한다 하기 하여 해서 하면 할 한 된 되는 된다 되어 됐다 이다 이라고 라고 에서는 에서도 에는 에도 으로는 으로도 로는 까지는 부터는 에게서 들이 들은 들을 들의 이랑 마다 조차 밖에 한테 께서'
const ENDINGS = [...PARTICLES, ...VERB_ENDINGS.split(' ')].toSorted((a, b) => b.length - a.length)
const MIN_KOREAN_STEM_LENGTH = 2
/** The shortest part of a word that can be found. */
const MIN_PART_LENGTH = 2
/** The longest part of a word that can be found, in characters. Limits the index size of a long word. */
const MAX_PART_LENGTH = 8
const MAX_PARTS = 16

/** The lexemes for each token of a text. */
export function listLexemes(
  text: string,
  tokens: readonly SearchToken[],
  isCompounding: boolean,
): TokenLexemes[] {
  const joined = new Map<number, string>()
  for (const { firstTokenIndex, lastTokenIndex, word } of listHyphenatedWords(text, tokens)) {
    joined.set(firstTokenIndex, word)
    joined.set(lastTokenIndex, word)
  }
  return tokens.map((token, i) =>
    token.isUnspaced
      ? { word: toCharacterPair(token, tokens[i + 1]), joined: null, parts: [] }
      : {
          word: token.word,
          joined: joined.get(i) ?? null,
          parts: listWordParts(token.word, isCompounding),
        },
  )
}

/** True if a token is directly followed by another character in a script without spaces. */
export function startsUnspacedPair(
  token: SearchToken,
  next: SearchToken | undefined,
): next is SearchToken {
  return token.isUnspaced && next?.isUnspaced === true && next.start === token.end
}

function toCharacterPair(token: SearchToken, next: SearchToken | undefined): string {
  return startsUnspacedPair(token, next) ? `${token.word}${next.word}` : token.word
}

export type HyphenatedWord = { firstTokenIndex: number; lastTokenIndex: number; word: string }

/** The words of a text whose tokens are joined by hyphens, as token indexes. Excludes numbers such as dates. */
export function listHyphenatedWords(
  text: string,
  tokens: readonly SearchToken[],
): HyphenatedWord[] {
  const found: HyphenatedWord[] = []
  for (let first = 0; first < tokens.length; first += 1) {
    let last = first
    let word = tokens[first]?.word ?? ''
    while (isHyphenBetween(text, tokens[last], tokens[last + 1])) {
      last += 1
      word += tokens[last]?.word ?? ''
    }
    const isWord = last > first && last - first < MAX_JOINED_TOKENS
    if (isWord && word.length <= MAX_JOINED_LENGTH && LETTER.test(word))
      found.push({ firstTokenIndex: first, lastTokenIndex: last, word })
    first = last
  }
  return found
}

function isHyphenBetween(
  text: string,
  token: SearchToken | undefined,
  next: SearchToken | undefined,
): boolean {
  if (token === undefined || next === undefined || token.isUnspaced || next.isUnspaced) return false
  return next.start - token.end === 1 && HYPHEN.test(text.slice(token.end, next.start))
}

/** Parts of a word that a search also finds: `v2` has `2`, `jahresbudget` has `budget`, `والكتاب` has `كتاب`. */
function listWordParts(word: string, isCompounding: boolean): string[] {
  if (LATIN.test(word)) {
    const version = stripVersionLetter(word)
    if (version !== null) return [version]
    return isCompounding ? listCompoundWordTails(word) : []
  }
  return isKoreanWord(word) ? listKoreanWordTails(word) : listStemsAfterClitics(word)
}

/** The number of a version such as `v2`, because a text may contain only the number; null for other words. */
export function stripVersionLetter(word: string): string | null {
  return VERSION.exec(word)?.[1] ?? null
}

/** The word without the small words before it, in all possible readings: `والكتاب` can be `كتاب`. */
function listStemsAfterClitics(word: string): string[] {
  const script = SCRIPTS.find(({ letters }) => letters.test(word))
  const [prefix = ''] = script?.indexedPrefix.exec(word) ?? []
  // A prefix of several letters can also be shorter, with the rest being part of the word.
  const lengths = prefix.includes('ال') ? [prefix.length] : [prefix.length, 1]
  return [...new Set(lengths)]
    .filter((length) => prefix !== '' && word.length - length >= MIN_STEM_LENGTH)
    .map((length) => word.slice(length))
}

/** The stem of a word in a search text; null if it has none of the endings and small words. */
function stripQueryWordClitics(word: string): string | null {
  const script = SCRIPTS.find(({ letters }) => letters.test(word))
  if (script === undefined) return null
  const strip = (text: string, pattern: RegExp | null) => {
    const stem = pattern === null ? text : text.replace(pattern, '')
    return stem.length >= MIN_STEM_LENGTH ? stem : text
  }
  const stem = strip(strip(word, script.searchedPrefix), script.searchedSuffix)
  return stem === word ? null : stem
}

export function isKoreanWord(word: string): boolean {
  return HANGUL.test(word)
}

/** The word from each later syllable on, so that a noun is found inside a compound: `예산안` has the part `산안`. */
function listKoreanWordTails(word: string): string[] {
  const parts: string[] = []
  for (let i = 1; i <= word.length - MIN_PART_LENGTH && parts.length < MAX_PARTS; i += 1)
    parts.push(word.slice(i, i + MAX_PART_LENGTH))
  return parts
}

/** The word without its ending: `예산을` becomes `예산`. Unchanged if fewer than two syllables would be left. */
function stripKoreanEnding(word: string): string {
  const ending = ENDINGS.find(
    (text) => word.endsWith(text) && word.length - text.length >= MIN_KOREAN_STEM_LENGTH,
  )
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** The word, and the word with each particle. For a word that must not match as a prefix. */
function listKoreanParticleForms(word: string): string[] {
  return [word, ...PARTICLES.map((particle) => `${word}${particle}`)]
}

/** True if a word is long enough to match as a prefix. */
export function canMatchAsPrefix(word: string): boolean {
  return word.length >= (isKoreanWord(word) ? MIN_KOREAN_PREFIX_LENGTH : MIN_PREFIX_LENGTH)
}

/** The words that match a word of a search, the word itself first. `isExact`: it is quoted, or more words follow. */
export function toQueryWords(word: string, isExact: boolean): QueryWord[] {
  if (isKoreanWord(word)) return toKoreanQueryWords(word, isExact)
  if (isExact || !canMatchAsPrefix(word)) return [{ word, isPrefix: false }]
  const stem = stripQueryWordClitics(word)
  const words = stem === null ? [word] : [word, stem]
  return words.map((text) => ({ word: text, isPrefix: true }))
}

/** Particles are attached to a Korean noun, so even an exact word matches with them. */
function toKoreanQueryWords(word: string, isExact: boolean): QueryWord[] {
  const stem = stripKoreanEnding(word)
  if (!isExact && canMatchAsPrefix(stem)) return [{ word: stem, isPrefix: true }]
  return listKoreanParticleForms(word).map((text) => ({ word: text, isPrefix: false }))
}
