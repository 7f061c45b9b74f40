import type { Sounds } from './sounds.ts'

/** Sounds that recognizers and people confuse easily. */
const SIMILAR_GROUPS = [
  'pb',
  'td',
  'kg',
  'fvw',
  'szTSZCJ',
  'mn',
  'lr',
  'Tt',
  'Td',
  'Tf',
  'bv',
  'Jyi',
  'kC',
  'wu',
  'wo',
  'yi',
  'ye',
]
const VOWELS = 'aeiou'
const CLOSE_VOWELS = ['ei', 'ou', 'ao', 'ae', 'au']

const COST = {
  other: 1,
  similar: 0.45,
  vowel: 0.35,
  closeVowel: 0.2,
  /** A vowel instead of a consonant. */
  mixed: 1,
} as const
/** The least that a different consonant costs, for a quick check before the comparison. */
export const LEAST_CONSONANT_COST = COST.similar
const WEIGHT = { consonant: 1, vowel: 0.5, faint: 0.4 } as const
/** Sounds that are often not heard, or heard where there are none. */
const FAINT = 'hyw'

const SYMBOLS = 128
const substitution = new Float64Array(SYMBOLS * SYMBOLS)
const weights = new Float64Array(SYMBOLS)
for (let a = 0; a < SYMBOLS; a += 1) {
  weights[a] = weightOf(String.fromCharCode(a))
  for (let b = 0; b < SYMBOLS; b += 1)
    substitution[a * SYMBOLS + b] = costOf(String.fromCharCode(a), String.fromCharCode(b))
}

function weightOf(sound: string): number {
  if (VOWELS.includes(sound)) return WEIGHT.vowel
  return FAINT.includes(sound) ? WEIGHT.faint : WEIGHT.consonant
}

function costOf(a: string, b: string): number {
  if (a === b) return 0
  const isInOneGroup = (group: string) => group.includes(a) && group.includes(b)
  const [isVowel, isOtherVowel] = [VOWELS.includes(a), VOWELS.includes(b)]
  if (isVowel && isOtherVowel) return CLOSE_VOWELS.some(isInOneGroup) ? COST.closeVowel : COST.vowel
  if (SIMILAR_GROUPS.some(isInOneGroup)) return COST.similar
  return isVowel === isOtherVowel ? COST.other : COST.mixed
}

/** How much is said, so that a difference can be compared with it. */
export function measureSounds(sounds: Sounds): number {
  let sum = 0
  for (let at = 0; at < sounds.length; at += 1) sum += weights[sounds.charCodeAt(at)] ?? 1
  return sum
}

/** One bit for each consonant. Sounds with very different bits need not be compared. */
export function toSignature(sounds: Sounds): number {
  let bits = 0
  for (let at = 0; at < sounds.length; at += 1) {
    const code = sounds.charCodeAt(at)
    if (weights[code] === WEIGHT.consonant) bits |= 1 << (code & 31)
  }
  return bits
}

let row = new Float64Array(128)
let next = new Float64Array(128)

/** The cheapest way to change one into the other; Infinity if it costs more than `most`. */
export function measureDistance(from: Sounds, to: Sounds, most: number): number {
  if (to.length + 1 > row.length) {
    row = new Float64Array(2 * to.length)
    next = new Float64Array(2 * to.length)
  }
  row[0] = 0
  for (let at = 0; at < to.length; at += 1) row[at + 1] = row[at]! + weights[to.charCodeAt(at)]!
  for (let i = 0; i < from.length; i += 1) {
    const code = from.charCodeAt(i)
    const removal = weights[code]!
    let before = row[0]! + removal
    let least = before
    next[0] = before
    for (let j = 0; j < to.length; j += 1) {
      const other = to.charCodeAt(j)
      const replaced = row[j]! + substitution[code * SYMBOLS + other]!
      const removed = row[j + 1]! + removal
      const added = before + weights[other]!
      before = replaced < removed ? replaced : removed
      if (added < before) before = added
      next[j + 1] = before
      if (before < least) least = before
    }
    if (least > most) return Infinity
    const last = row
    row = next
    next = last
  }
  const distance = row[to.length]!
  return distance > most ? Infinity : distance
}
