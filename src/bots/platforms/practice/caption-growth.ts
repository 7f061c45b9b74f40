/**
 * The texts a caption shows on its way: word by word through the first draft; each further draft replaces what is
 * shown and goes on from there. The last draft ends as it stands.
 */
export function growDrafts(drafts: readonly string[]): string[] {
  const texts: string[] = []
  let shown = 0
  for (const draft of drafts) {
    const ends = [...draft.matchAll(/\S+/g)].map((word) => word.index + word[0].length)
    // A correction shows at once, together with the next word if there is one.
    const first = Math.min(shown + 1, ends.length)
    for (const end of ends.slice(first - 1)) texts.push(draft.slice(0, end))
    shown = ends.length
  }
  return texts
}
