/** Longer tags have no meaning for us. */
export const MAX_LANGUAGE_TAG_LENGTH = 35

export const LANGUAGE_TAG_ERROR = 'Must be a language tag such as de or pt-BR'

/** The canonical spelling of a BCP 47 tag. Null if it is not one, or if its language or region does not exist. */
export function canonicalLanguageTag(tag: string): string | null {
  return tag.length <= MAX_LANGUAGE_TAG_LENGTH && findLanguageName(tag) !== null
    ? (Intl.getCanonicalLocales(tag)[0] ?? null)
    : null
}

/** The language of a tag, such as `pt` of `pt-BR`. Null if it has none. */
export function baseLanguageOf(tag: string): string | null {
  return findLanguageName(tag) === null ? null : new Intl.Locale(tag).language
}

/** The English name of a language, such as Brazilian Portuguese. The tag itself if it has no name. */
export function languageNameOf(tag: string): string {
  return findLanguageName(tag) ?? tag
}

function findLanguageName(tag: string): string | null {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(tag) ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
