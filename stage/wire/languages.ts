/** Google Meet's ids for languages in the older caption layout. */
const LANGUAGE_IDS: Readonly<Record<string, number>> = {
  'en-US': 1,
  'es-MX': 2,
  'es-ES': 3,
  'pt-BR': 4,
  'fr-FR': 5,
  'de-DE': 6,
  'it-IT': 7,
  'nl-NL': 8,
  'ja-JP': 9,
  'ru-RU': 10,
  'ko-KR': 11,
  'pt-PT': 17,
  'hi-IN': 18,
  'en-IN': 19,
  'en-GB': 20,
  'en-CA': 21,
  'en-AU': 22,
  'sv-SE': 24,
  'nb-NO': 25,
  'tr-TR': 38,
  'pl-PL': 39,
  'ro-RO': 40,
  'id-ID': 41,
  'vi-VN': 42,
  'uk-UA': 44,
  'ar-EG': 47,
  'cs-CZ': 93,
  'da-DK': 94,
  'fi-FI': 95,
  'el-GR': 101,
  'he-IL': 105,
  'hu-HU': 106,
}

/** Returns the id of English if the language is not in the table. */
export function languageId(language: string): number {
  return LANGUAGE_IDS[language] ?? 1
}
