import type { Caption } from '../../bots/platforms/platform.ts'
import {
  createNameCorrector,
  type NameCorrector,
} from '../../language/known-names/correct-names.ts'
import type { WordRanker } from '../../language/known-names/ordinary-words.ts'
import type { KnownNames } from '../../language/known-names/name-candidates.ts'

/** Corrects names in recognized speech before it becomes segments, which never change. */
export type SpeechCorrector = ReturnType<typeof createSpeechCorrector>

/** What is known before anyone joins. */
export type SpeechNames = {
  /** Invited people, and the vocabulary of the project. */
  known: KnownNames
  rankWord: WordRanker
}

/** People join and leave, but they are still spoken about. */
const MOST_SEEN = 500
const ENGLISH = /^en(?:-|$)/i

/** An unknown language is treated as English. */
export function createSpeechCorrector({ known, rankWord }: SpeechNames, language: string | null) {
  const isEnglish = language === null || ENGLISH.test(language)
  const seen = new Set<string>()
  let corrector: NameCorrector | null = null
  const correctText = (text: string): string => {
    if (!isEnglish) return text
    corrector ??= createNameCorrector({ ...known, people: [...seen, ...known.people] }, rankWord)
    return corrector.correct(text).text
  }
  return {
    addParticipants(names: readonly string[]) {
      for (const name of names) {
        if (seen.has(name) || seen.size >= MOST_SEEN) continue
        seen.add(name)
        corrector = null
      }
    },
    correctText,
    /** Platform captions stay as the platform wrote them. */
    correct(caption: Caption): Caption {
      return caption.isFromSpeech === true
        ? { ...caption, text: correctText(caption.text) }
        : caption
    },
  }
}
