import { copySubstringToFreeOriginal } from '../lib/text/plain-text.ts'
import { shortenToOneLine } from './clean-text.ts'
import { UNKNOWN_SPEAKER } from './person-names.ts'
import { foldText } from './words.ts'

/** Replaces each character of a name in a masked text, so that patterns can match any name. */
export const NAME_MASK = '@'

/** A name that was said. `person` is null if several people share the name. */
export type NameMention = { start: number; end: number; person: string | null }

export type MaskedText = { masked: string; mentions: NameMention[] }

const MAX_PEOPLE = 500
const MAX_SPEAKER_CHARS = 200
/** Printable ASCII, which needs no cleaning. */
const PLAIN = /^[ -~]*$/
const MAX_NAME_WORDS = 4
const MIN_NAME_CHARS = 2
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu
const TITLE = /^(?:dr|prof|mr|mrs|ms|herr|frau|sr|sra|srta|dona|don|mme|mlle|monsieur|madame|ing)$/
/** Names that are also frequent words, so in lower case they are not treated as names. */
const COMMON_WORD =
  /^(?:will|may|mark|bill|art|rob|sue|pat|hope|grace|joy|rose|dawn|chase|grant|frank|guy|drew|jack|miles|rich|sunny|norm|chip|don|ray|van|wade|dean|page|penny|faith|amber|april|june|august|summer|an|the|weber|lang|klein|kurz|sol|luz|mar|clara|claire|pierre|blanche)$/
/** Endings that are attached to a name: "Ben'll", "Ben's". */
const CONTRACTION = /'(?:ll|s|d|ve|re)$/

/** Finds a meeting's participants and speakers by full name, first name and last name. */
export function createPeopleFinder(names: readonly string[]) {
  const byName = new Map<string, string | null>()
  const byFullName = new Map<string, string | null>()
  const add = (key: string, person: string, people = byName) => {
    if (key.length < MIN_NAME_CHARS) return
    const known = people.get(key)
    people.set(key, known === undefined || known === person ? person : null)
  }
  const people = [...new Set(names)].filter((name) => name.trim() !== '').slice(0, MAX_PEOPLE)
  for (const person of people) {
    const words = splitNameWords(person)
    add(words.join(' '), person)
    add(words.join(' '), person, byFullName)
    add(words[0] ?? '', person)
    add(words.at(-1) ?? '', person)
  }
  const nameWords = new Set([...byName.keys()].flatMap((key) => key.split(' ')))

  return {
    /** Finds the names of people in a text. `folded` is the folded text, of the same length. */
    maskNames(text: string, folded: string): MaskedText {
      const words = [...folded.matchAll(WORD)].map(({ 0: word, index }) => ({
        key: word.replace(CONTRACTION, ''),
        index,
      }))
      const mentions: NameMention[] = []
      for (let i = 0; i < words.length; i += 1) {
        const found = findLongestName(words, i, text)
        if (found === null) continue
        mentions.push(found.mention)
        i += found.wordCount - 1
      }
      return { masked: maskRanges(folded, mentions), mentions }
    },
    isNameWord: (word: string) => nameWords.has(word),
    /** Returns the person with this full, first or last name; null if nobody has it, or several people do. */
    findByName(name: string): string | null {
      if (people.includes(name)) return name
      const key = splitNameWords(name).join(' ')
      // "Ada" is the person with this full name, even if "Ada Lovelace" is also present.
      return byFullName.get(key) ?? byName.get(key) ?? null
    },
  }

  function findLongestName(
    words: ReadonlyArray<{ key: string; index: number }>,
    at: number,
    text: string,
  ): { mention: NameMention; wordCount: number } | null {
    const first = words[at]
    if (first === undefined || !nameWords.has(first.key)) return null
    if (
      isLowerCase(text.charAt(first.index)) &&
      (hasUpperCase(text) || COMMON_WORD.test(first.key))
    )
      return null
    for (let wordCount = MAX_NAME_WORDS; wordCount > 0; wordCount -= 1) {
      const last = words[at + wordCount - 1]
      if (last === undefined) continue
      const key = words
        .slice(at, at + wordCount)
        .map((word) => word.key)
        .join(' ')
      const person = byName.get(key)
      if (person === undefined) continue
      const mention = { start: first.index, end: last.index + last.key.length, person }
      return { mention, wordCount }
    }
    return null
  }
}

export type PeopleFinder = ReturnType<typeof createPeopleFinder>

function splitNameWords(name: string): string[] {
  const withoutNotes = name.slice(0, 200).replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
  return [...foldText(withoutNotes.normalize('NFC').replaceAll('’', "'")).matchAll(WORD)]
    .map(([word]) => word)
    .filter((word) => !TITLE.test(word))
    .slice(0, MAX_NAME_WORDS)
}

/** Some captions have no capital letters at all, so names have none either. */
function hasUpperCase(text: string): boolean {
  return text !== text.toLowerCase()
}

/** "will" is a verb, but "Will" may be a name. */
function isLowerCase(character: string): boolean {
  return character !== character.toUpperCase()
}

function maskRanges(folded: string, mentions: readonly NameMention[]): string {
  let masked = ''
  let from = 0
  for (const { start, end } of mentions) {
    masked += folded.slice(from, start).replaceAll(NAME_MASK, ' ')
    masked += NAME_MASK.repeat(end - start)
    from = end
  }
  return masked + folded.slice(from).replaceAll(NAME_MASK, ' ')
}

/** The speaker's name on one line; empty if the platform gave none. */
export function normalizeSpeakerName(name: string): string {
  const isClean = name.length <= MAX_SPEAKER_CHARS && PLAIN.test(name)
  const speaker = isClean
    ? name.trim()
    : copySubstringToFreeOriginal(shortenToOneLine(name, MAX_SPEAKER_CHARS))
  return speaker === UNKNOWN_SPEAKER ? '' : speaker
}
