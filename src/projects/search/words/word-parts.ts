import { listStemsAfterClitics } from './clitics.ts'
import { listCompoundParts } from './compound-words.ts'
import { isKoreanWord, listKoreanParts } from './korean-words.ts'

const LATIN = /^[a-z0-9]+$/
const VERSION = /^v\d+$/

/** Parts of a word that a search finds as well: `v2` has `2`, `jahresbudget` has `budget`, `والكتاب` has `كتاب`. */
export function listWordParts(word: string, isCompounding: boolean): string[] {
  if (LATIN.test(word)) {
    if (VERSION.test(word)) return [word.slice(1)]
    return isCompounding ? listCompoundParts(word) : []
  }
  return isKoreanWord(word) ? listKoreanParts(word) : listStemsAfterClitics(word)
}
