import type { WireCaption } from '../../wire/wire-types.ts'

/** `translatedFrom` is the spoken language when the captions are a translation. `at` is when the caption arrived. */
export type CaptionLanguage = { tag: string; at: number; translatedFrom: string | null }

/** Knows the language of the newest caption on the wire. */
export function createCaptionLanguageTracker() {
  let latest: CaptionLanguage | null = null
  return {
    add({ language, translatedFrom }: WireCaption, at: number): void {
      if (language === null) return
      // Not every channel says that captions are translated, so they count as translated until their language changes.
      const known = latest?.tag === language ? latest.translatedFrom : null
      latest = { tag: language, at, translatedFrom: translatedFrom ?? known }
    },
    latest: () => latest,
  }
}
