/** Replaces a name where it is a whole word, but not where it is a part of another name of the meeting or of the new one. */
export function replaceNameInText(
  text: string,
  { from, to, names = [] }: { from: string; to: string; names?: readonly string[] },
): string {
  if (from === '' || to === '') return text
  const longer = [to, ...names].filter((name) => name !== from && name.includes(from))
  // The longest name is tried first, so that all of it is passed over.
  const alternatives = [...longer.toSorted((a, b) => b.length - a.length), from]
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives.map((name) => RegExp.escape(name)).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(pattern, (name) => (name === from ? to : name))
}
