import { toSearchVector } from '../../projects/search/words/search-vector.ts'

/**
 * The names that people gave to the speakers of one meeting, by the name that the platform shows, as they are stored.
 * `words` is the search vector of the name, so that SQL can index a segment under it.
 */
export type StoredSpeakerNames = Record<string, { name: string; words: string }>

/** The same names without their words. */
export type SpeakerNames = ReadonlyMap<string, string>

export function toSpeakerNames(stored: StoredSpeakerNames): SpeakerNames {
  return new Map(Object.entries(stored).map(([platformName, { name }]) => [platformName, name]))
}

/** Only names that differ from the platform's are stored. */
export function toStoredSpeakerNames(names: SpeakerNames): StoredSpeakerNames {
  return Object.fromEntries(
    [...names]
      .filter(([platformName, name]) => platformName !== name)
      .map(([platformName, name]) => [platformName, { name, words: toSearchVector('', name) }]),
  )
}

/** The name that is shown for a name of the platform. */
export function findShownName(names: SpeakerNames, platformName: string): string {
  return names.get(platformName) ?? platformName
}

/** The names that are shown, each once. */
export function listShownNames(names: SpeakerNames, platformNames: readonly string[]): string[] {
  return [...new Set(platformNames.map((name) => findShownName(names, name)))]
}
