import { listStemsAfterClitics } from './clitics.ts'
import { listCompoundWordTails } from './compound-words.ts'
import { isKoreanWord, listKoreanWordTails } from './korean-words.ts'

const LATIN = /^[a-z0-9]+$/
const VERSION = /^v(\d+)$/

/** Parts of a word that a search finds as well: `v2` has `2`, `jahresbudget` has `budget`, `والكتاب` has `كتاب`. */
export function listWordParts(word: string, isCompounding: boolean): string[] {
  if (LATIN.test(word)) {
    const version = stripVersionLetter(word)
    if (version !== null) return [version]
    return isCompounding ? listCompoundWordTails(word) : []
  }
  return isKoreanWord(word) ? listKoreanWordTails(word) : listStemsAfterClitics(word)
}

/** The number of a version such as `v2`, with which a text may write it, or null. */
export function stripVersionLetter(word: string): string | null {
  return VERSION.exec(word)?.[1] ?? null
}
