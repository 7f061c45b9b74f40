/** Selects a line in a text area and scrolls to it. */
export function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n')
  const index = Math.min(Math.max(line, 1), lines.length) - 1
  const start = lines.slice(0, index).reduce((sum, text) => sum + text.length + 1, 0)
  // A browser scrolls to the cursor when the text area gets the focus.
  area.blur()
  area.setSelectionRange(start, start)
  area.focus()
  area.setSelectionRange(start, start + (lines[index]?.length ?? 0))
}
