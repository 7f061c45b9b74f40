import { foldText } from '../words.ts'

/**
 * How a word sounds, roughly: one character for each sound. Letters that are usually spoken alike become the same
 * character; `S` is the sound of "sh", `C` of "ch", `J` of "j", `T` of "th".
 */
export type Sounds = string

/** How spellings are read: as in English, or as in most other languages of Europe. */
type Reading = readonly (readonly [pattern: RegExp, sounds: string])[]

/** Longer names and terms are compared by their beginning. */
const MAX_LETTERS = 60

const SHARED_SPELLINGS: Reading = [
  [/^tsch|tsch/y, 'C'],
  [/sch/y, 'S'],
  [/tch|cz/y, 'C'],
  [/sz|sh|(?:ti|ci|si)(?=on|an|al|ous)/y, 'S'],
  [/rz|zh/y, 'Z'],
  [/ph/y, 'f'],
  [/ck|kh|cc(?![eiy])/y, 'k'],
  [/qu/y, 'kw'],
  [/q/y, 'k'],
  [/dg(?=e)/y, 'J'],
  [/^(?:kn|gn|pn)/y, 'n'],
  [/^wr|rh/y, 'r'],
  [/^x/y, 'z'],
  [/x/y, 'ks'],
  [/bh/y, 'b'],
  [/dh/y, 'd'],
]

const READINGS: Readonly<Record<'english' | 'european', Reading>> = {
  english: [
    [/th/y, 'T'],
    [/ch/y, 'C'],
    [/gh(?=[aeiouy])/y, 'g'],
    [/gh/y, ''],
    [/wh/y, 'w'],
    [/c(?=[eiy])/y, 's'],
    [/g(?=[eiy])/y, 'J'],
    [/j/y, 'J'],
    [/y(?=[aeiou])/y, 'y'],
    [/h(?![aeiouy])/y, ''],
    // The silent letter of "Jane" and "Clive" makes the vowel before it another one.
    [/a(?=[^aeiouwxy]e$)/y, 'e'],
    [/i(?=[^aeiouwxy]e$)/y, 'ai'],
    [/(?<=[^aeiou][aeiou]?[^aeiou])e$/y, ''],
  ],
  european: [
    [/th/y, 't'],
    [/ch/y, 'k'],
    [/c(?=[eiy])/y, 's'],
    [/gl(?=i)/y, 'l'],
    [/gn/y, 'n'],
    [/gh/y, 'g'],
    [/j/y, 'y'],
    [/w/y, 'v'],
    [/y(?=[aeiou])/y, 'y'],
    [/h(?![aeiouy])/y, ''],
    [/z/y, 'ts'],
  ],
}

const LETTERS: Readonly<Record<string, string>> = { c: 'k', y: 'i' }
/** Letters whose sound folding would lose. */
const OWN_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ł/g, 'w'],
  [/[şśš]/g, 'sh'],
  [/[çćč]/g, 'ch'],
  [/[ğ]/g, 'y'],
  [/ñ/g, 'ny'],
]

/** The sounds of a name, term or heard words in each way to read it; the first one is English. */
export function listReadings(text: string): Sounds[] {
  const english = toSounds(text)
  const european = readWords(text, READINGS.european)
  return european === english ? [english] : [english, european]
}

/** The sounds of text as an English reader says it. */
export function toSounds(text: string): Sounds {
  return readWords(text, READINGS.english)
}

function readWords(text: string, reading: Reading): Sounds {
  let sounds = ''
  for (const word of splitLetters(text)) sounds += readWord(word, reading)
  return removeRepetitions(sounds)
}

function splitLetters(text: string): string[] {
  let plain = text.slice(0, MAX_LETTERS).normalize('NFC').toLowerCase()
  for (const [pattern, letters] of OWN_SOUNDS) plain = plain.replace(pattern, letters)
  return foldText(plain)
    .replaceAll("'", '')
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function readWord(word: string, reading: Reading): Sounds {
  let sounds = ''
  for (let at = 0; at < word.length;) {
    const spelling = findSpelling(SHARED_SPELLINGS, word, at) ?? findSpelling(reading, word, at)
    sounds += spelling?.sounds ?? LETTERS[word.charAt(at)] ?? word.charAt(at)
    at += spelling?.length ?? 1
  }
  return sounds
}

function findSpelling(reading: Reading, word: string, at: number) {
  for (const [pattern, sounds] of reading) {
    pattern.lastIndex = at
    const found = pattern.exec(word)
    if (found !== null) return { sounds, length: found[0].length }
  }
  return null
}

/** Double letters are one sound, and so are two vowels that are spelt alike. */
function removeRepetitions(sounds: Sounds): Sounds {
  return sounds.replaceAll(/(.)\1+/g, '$1')
}
