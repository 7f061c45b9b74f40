import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import type { LanguageRules } from './language-rules.ts'
import { PORTUGUESE } from './portuguese.ts'
import { SPANISH } from './spanish.ts'

const LANGUAGES: Readonly<Record<string, LanguageRules>> = {
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  pt: PORTUGUESE,
}

/** Null for a language without rules, which gets only a summary and topics. */
export function findLanguageRules(language: string | null): LanguageRules | null {
  return language !== null && Object.hasOwn(LANGUAGES, language)
    ? (LANGUAGES[language] ?? null)
    : null
}
