const HANGUL = /^\p{Script=Hangul}+$/u
/** Particles that follow a noun without a space. */
const PARTICLES =
  '은 는 이 가 을 를 의 에 와 과 도 로 만 들 에서 으로 에게 까지 부터 이나 하고 보다 처럼'.split(
    ' ',
  )
/** Further endings, of verbs made from a noun and of particles in a row. */
const VERB_ENDINGS =
  '하였습니다 되었습니다 했습니다 합니다 됐습니다 됩니다 입니다 이었습니다 였습니다 하는 하다 했다 한다 하기 하여 해서 하면 할 한 된 되는 된다 되어 됐다 이다 이라고 라고 에서는 에서도 에는 에도 으로는 으로도 로는 까지는 부터는 에게서 들이 들은 들을 들의 이랑 마다 조차 밖에 한테 께서'
const ENDINGS = [...PARTICLES, ...VERB_ENDINGS.split(' ')].toSorted((a, b) => b.length - a.length)
const MIN_STEM_LENGTH = 2
/** The shortest part of a word that can be found. */
const MIN_PART_LENGTH = 2
/** The longest part of a word that can be found, in characters. Limits what one long word takes in the index. */
const MAX_PART_LENGTH = 8
const MAX_PARTS = 16

export function isKoreanWord(word: string): boolean {
  return HANGUL.test(word)
}

/** The word from each later syllable on, so that a noun is found inside a compound: `예산안` has the part `산안`. */
export function listKoreanWordTails(word: string): string[] {
  const parts: string[] = []
  for (let i = 1; i <= word.length - MIN_PART_LENGTH && parts.length < MAX_PARTS; i += 1)
    parts.push(word.slice(i, i + MAX_PART_LENGTH))
  return parts
}

/** The word without its ending: `예산을` becomes `예산`. Unchanged when less than two syllables would be left. */
export function stripKoreanEnding(word: string): string {
  const ending = ENDINGS.find(
    (text) => word.endsWith(text) && word.length - text.length >= MIN_STEM_LENGTH,
  )
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** The word and the word with each particle, for a word that must not match as a prefix. */
export function listKoreanParticleForms(word: string): string[] {
  return [word, ...PARTICLES.map((particle) => `${word}${particle}`)]
}
