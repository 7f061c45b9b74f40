/**
 * The successive texts of a caption: the first draft word by word; each further draft replaces the shown text and
 * continues word by word. The last text is the complete last draft.
 */
export function listGrowingCaptionTexts(drafts: readonly string[]): string[] {
  const texts: string[] = []
  let shown = 0
  for (const draft of drafts) {
    const ends = [...draft.matchAll(/\S+/g)].map((word) => word.index + word[0].length)
    // The words that a draft corrects appear together with its next new word, if there is one.
    const first = Math.min(shown + 1, ends.length)
    for (const end of ends.slice(first - 1)) texts.push(draft.slice(0, end))
    shown = ends.length
  }
  return texts
}
