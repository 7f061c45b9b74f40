/** The languages that the console offers. The API accepts every language tag. */
const OFFERED =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk ur vi zh zh-Hant'.split(
    ' ',
  )

const names = new Intl.DisplayNames('en', { type: 'language' })

export function languageNameOf(tag: string): string {
  return names.of(tag) ?? tag
}

/** The languages to choose from, by name, with the current one even if the console does not offer it. */
export function listRecapLanguages(
  current: string | null,
): Array<{ value: string; label: string }> {
  const tags = current === null ? OFFERED : [...new Set([...OFFERED, current])]
  return tags
    .map((value) => ({ value, label: languageNameOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}
