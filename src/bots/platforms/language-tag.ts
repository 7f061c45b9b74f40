const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,4}$/i

/** The canonical spelling of a language tag (`en-us` becomes `en-US`); null if the text is not a language tag. */
export function canonicalizeLanguageTag(given: string): string | null {
  if (!TAG.test(given)) return null
  const [language = '', ...rest] = given.toLowerCase().split('-')
  return [language, ...rest.map(spell)].join('-')
}

/** True if captions in one language satisfy a request for the other: `en` accepts every English. */
export function areLanguageTagsCompatible(a: string, b: string): boolean {
  const [one, other] = [a, b].map((tag) => canonicalizeLanguageTag(tag)?.split('-') ?? [])
  if (!one?.length || !other?.length || one[0] !== other[0]) return false
  const [region, otherRegion] = [regionOf(one), regionOf(other)]
  return region === undefined || otherRegion === undefined || region === otherRegion
}

/** `translatedFrom` is the spoken language if the captions have another one; absent if not, or if a tag is unknown. */
export function describeTranslation(
  captions: string | null,
  spoken: string | null,
): { translatedFrom?: string } {
  if (captions === null || spoken === null) return {}
  return captions.split('-')[0] === spoken.split('-')[0] ? {} : { translatedFrom: spoken }
}

function spell(part: string): string {
  if (part.length === 2) return part.toUpperCase()
  return part.length === 4 && /^[a-z]/.test(part) ? part[0]?.toUpperCase() + part.slice(1) : part
}

function regionOf(parts: readonly string[]): string | undefined {
  return parts.slice(1).find((part) => part.length === 2 || /^\d{3}$/.test(part))
}
