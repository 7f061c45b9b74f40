import { foldText } from '../words.ts'

/**
 * How a word sounds, roughly: one character for each sound. Letters that are usually spoken alike become the same
 * character; `S` is the sound of "sh", `C` of "ch", `J` of "j", `T` of "th".
 */
export type Sounds = string

/** How spellings are read, by their first letter. The first row that fits is used. */
type Reading = Readonly<Record<string, readonly (readonly [pattern: RegExp, sounds: string])[]>>

/** Longer names and terms are compared by their beginning. */
const MAX_LETTERS = 60

/** The silent letter of "Jane" and "Clive" makes the vowel before it another one. */
const BEFORE_SILENT_E = '(?=[^aeiouwxy]e$)'
const ENGLISH: Reading = {
  a: [[new RegExp(`a${BEFORE_SILENT_E}`, 'y'), 'e']],
  b: [[/bh/y, 'b']],
  c: [
    [/cz|ch/y, 'C'],
    [/ci(?=on|an|al|ous)/y, 'S'],
    [/ck|cc(?![eiy])/y, 'k'],
    [/c(?=[eiy])/y, 's'],
  ],
  d: [
    [/dg(?=e)/y, 'J'],
    [/dh/y, 'd'],
  ],
  e: [[/(?<=[^aeiou][aeiou]?[^aeiou])e$/y, '']],
  g: [
    [/(?<![a-z])gn/y, 'n'],
    [/gh(?=[aeiouy])/y, 'g'],
    [/gh/y, ''],
    [/g(?=[eiy])/y, 'J'],
  ],
  h: [[/h(?![aeiouy])/y, '']],
  i: [[new RegExp(`i${BEFORE_SILENT_E}`, 'y'), 'ai']],
  j: [[/j/y, 'J']],
  k: [
    [/(?<![a-z])kn/y, 'n'],
    [/kh/y, 'k'],
  ],
  p: [
    [/ph/y, 'f'],
    [/(?<![a-z])pn/y, 'n'],
  ],
  q: [
    [/qu/y, 'kw'],
    [/q/y, 'k'],
  ],
  r: [
    [/rz/y, 'Z'],
    [/rh/y, 'r'],
  ],
  s: [[/sch|sz|sh|si(?=on|an|al|ous)/y, 'S']],
  t: [
    [/tsch|tch/y, 'C'],
    [/ti(?=on|an|al|ous)/y, 'S'],
    [/th/y, 'T'],
  ],
  w: [
    [/(?<![a-z])wr/y, 'r'],
    [/wh/y, 'w'],
  ],
  x: [
    [/(?<![a-z])x/y, 'z'],
    [/x/y, 'ks'],
  ],
  y: [[/y(?=[aeiou])/y, 'y']],
  z: [[/zh/y, 'Z']],
}
/** Where most other languages of Europe differ. */
const EUROPEAN: Reading = {
  ...ENGLISH,
  a: [],
  c: [
    [/cz/y, 'C'],
    [/ch|ck|cc(?![eiy])/y, 'k'],
    [/c(?=[eiy])/y, 's'],
  ],
  e: [],
  g: [
    [/gn/y, 'n'],
    [/gh/y, 'g'],
    [/gl(?=i)/y, 'l'],
  ],
  i: [],
  j: [[/j/y, 'y']],
  t: [
    [/tsch|tch/y, 'C'],
    [/ti(?=on|an|al|ous)/y, 'S'],
    [/th/y, 't'],
  ],
  w: [[/w/y, 'v']],
  z: [
    [/zh/y, 'Z'],
    [/z/y, 'ts'],
  ],
}

const LETTERS: Readonly<Record<string, string>> = { c: 'k', y: 'i' }
const ASCII = /^[\0-\x7f]*$/
const LETTERS_OF_WORD = /[a-z]+/g
/** Letters whose sound folding would lose. */
const OWN_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ł/g, 'w'],
  [/[şśš]/g, 'sh'],
  [/[çćč]/g, 'ch'],
  [/[ğ]/g, 'y'],
  [/ñ/g, 'ny'],
]

/** The sounds of a name or term in each way to read it; the first one is English. */
export function listReadings(text: string): Sounds[] {
  const words = splitLetters(text)
  const english = joinSounds(words.map((word) => readWord(word, ENGLISH)))
  const european = joinSounds(words.map((word) => readWord(word, EUROPEAN)))
  return european === english ? [english] : [english, european]
}

/** The sounds of text as an English reader says it. */
export function toSounds(text: string): Sounds {
  return joinSounds(splitLetters(text).map((word) => readWord(word, ENGLISH)))
}

function splitLetters(text: string): string[] {
  const plain = text.slice(0, MAX_LETTERS).toLowerCase()
  const folded = ASCII.test(plain) ? plain : foldText(keepOwnSounds(plain.normalize('NFC')))
  return folded.replaceAll("'", '').match(LETTERS_OF_WORD) ?? []
}

function keepOwnSounds(text: string): string {
  let plain = text
  for (const [pattern, letters] of OWN_SOUNDS) plain = plain.replace(pattern, letters)
  return plain
}

function readWord(word: string, reading: Reading): Sounds {
  let sounds = ''
  for (let at = 0; at < word.length;) {
    const letter = word.charAt(at)
    const spelling = findSpelling(reading[letter], word, at)
    sounds += spelling?.sounds ?? LETTERS[letter] ?? letter
    at += spelling?.length ?? 1
  }
  return sounds
}

function findSpelling(rows: Reading[string] = [], word: string, at: number) {
  for (const [pattern, sounds] of rows) {
    pattern.lastIndex = at
    const found = pattern.exec(word)
    if (found !== null) return { sounds, length: found[0].length }
  }
  return null
}

/** Sounds of words that are said without a pause. */
export function joinSounds(sounds: readonly Sounds[]): Sounds {
  return removeRepetitions(sounds.join(''))
}

/** Double letters are one sound, and so are two vowels that are spelt alike. */
function removeRepetitions(sounds: Sounds): Sounds {
  return sounds.replaceAll(/(.)\1+/g, '$1')
}
