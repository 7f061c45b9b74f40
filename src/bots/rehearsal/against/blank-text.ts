import type { PageModel } from '../../platforms/page-model/page-states.ts'

/** Removes people's names and words from texts of a meeting page, and keeps the platform's own words. */
export type TextBlanker = ReturnType<typeof createTextBlanker>

/** Words of buttons and headings that the page models do not contain. */
const COMMON_WORDS = `a about accept add all allow an and are as ask at audio automatic back be browser button call camera
  cancel can caption captions chat check close code computer connect connection continue cookies copy deny details device
  devices dialog dismiss do don't effects email end enter error everyone feedback for from full got guest hand help here
  hide home host how in info invite is it join joined joining keyboard language leave light link live load loading lobby
  lower main meeting menu message messages mic microphone minimize more mute name new next no not notes now of off ok on
  open options or organizer other out panel participants participant people permission phone pin please present preview
  privacy raise react reactions recording reload remove report request required retry return screen search select send
  settings share show side sign skip someone sound speaker start stop submit switch take terms text that the this tile to
  toggle transcript transcription try turn type unmute unpin update use using video view volume wait waiting want was we
  webinar what when who window with without yes you your`

const MAX_WORD_CHARS = 20
const SHORTEST_NAME_PART = 2
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu

export function createTextBlanker(pageModels: readonly PageModel[]) {
  const known = new Set([...wordsOf(COMMON_WORDS), ...pageModels.flatMap(wordsInPageModel)])
  const names = new Set<string>()

  function blankWord(word: string): string {
    const lower = word.toLowerCase().replaceAll('’', "'")
    if (known.has(lower) && !names.has(lower)) return word
    return word
      .slice(0, MAX_WORD_CHARS)
      .replace(/\p{N}/gu, '0')
      .replace(/[^\p{N}]/gu, 'x')
  }
  function blankText(text: string): string {
    return text.replace(WORD, blankWord)
  }
  function containsName(value: string): boolean {
    const lower = value.toLowerCase()
    return [...names].some((name) => lower.includes(name))
  }
  return {
    /** Adds a name that must not appear, for example of a participant. */
    addName(name: string) {
      for (const word of wordsOf(name)) if (word.length >= SHORTEST_NAME_PART) names.add(word)
    },
    /** Replaces every word that is not known to be the platform's own by `xxx`, and every digit by `0`. */
    blankText,
    /** Blanks an id or the value of a `data-` attribute. Readable identifiers stay, because selectors use them. */
    blankIdentifier(value: string) {
      // A display name can be the value of an attribute, so only what looks like an identifier stays.
      const isIdentifier = /^[A-Za-z][\w-]*(?:[-_][\w-]*|[a-z][A-Z]\w*)$/.test(value)
      if (!isIdentifier || containsName(value)) return blankText(value)
      return value.replace(/[A-Za-z0-9]*\d[A-Za-z0-9]*/g, (part) => part.replace(/[^0]/g, '0'))
    },
  }
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase().replaceAll('’', "'"))
}

/** The platform's words that the page model knows: names of buttons and texts of states. */
function wordsInPageModel(pageModel: PageModel): string[] {
  const words: string[] = []
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (['name', 'text', 'words', 'icon'].includes(key)) words.push(...wordsOf(value))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(inner, name)
    }
  }
  visit(pageModel, '')
  return words
}
