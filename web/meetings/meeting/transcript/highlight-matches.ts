const HIGHLIGHT_NAME = 'found'
const MAX_HIGHLIGHTED_LINES = 500

/** Highlights matches with the CSS Custom Highlight API. Without it, only the current line is marked. */
export function highlightMatches(
  lineElementIds: readonly string[],
  searchText: string,
): () => void {
  if (typeof Highlight === 'undefined' || searchText === '') return () => {}
  const ranges = lineElementIds
    .slice(0, MAX_HIGHLIGHTED_LINES)
    .flatMap((id) => findRanges(document.getElementById(id), searchText))
  CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...ranges))
  return () => void CSS.highlights.delete(HIGHLIGHT_NAME)
}

function findRanges(line: HTMLElement | null, searchText: string): Range[] {
  const node = line?.querySelector('.line-text')?.firstChild
  if (!(node instanceof Text)) return []
  const text = node.data.toLocaleLowerCase()
  const ranges: Range[] = []
  for (
    let at = text.indexOf(searchText);
    at >= 0;
    at = text.indexOf(searchText, at + searchText.length)
  ) {
    // Lowercasing can make a text longer, so a match may lie past the end of the original.
    if (at + searchText.length > node.length) break
    const range = new Range()
    range.setStart(node, at)
    range.setEnd(node, at + searchText.length)
    ranges.push(range)
  }
  return ranges
}
