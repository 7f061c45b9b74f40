const ASCII = /^[\0-\x7f]*$/
/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ß: 's',
  œ: 'o',
  æ: 'a',
  ø: 'o',
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
}

/** One line with straight apostrophes and composed letters. */
export function toPlainLine(text: string): string {
  return text.normalize('NFC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/\s+/gu, ' ').trim()
}

/** Lower case without accents. The result has the same length, so that positions are valid in both texts. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (let i = 0; i < text.length; i += 1) folded += foldCharacter(text.charAt(i))
  return folded
}

function foldCharacter(character: string): string {
  if (character < '\x80') return character.toLowerCase()
  const lower = character.toLowerCase()
  return UNDECOMPOSED[lower] ?? (lower.normalize('NFD').charAt(0) || character)
}
