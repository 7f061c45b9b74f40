/** The number of the transcript line that contains an element; null outside of the transcript. */
export function lineNumberOf(element: EventTarget | Element | null): number | null {
  if (!(element instanceof Element)) return null
  const line = element.closest('.transcript .line[id]')
  const [, digits] = /^line-(\d+)$/.exec(line?.id ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

/** What had the focus in the line is gone, so the keyboard continues at the time of the line. */
export function focusTimeOfLine(segmentNumber: number): void {
  document.querySelector<HTMLElement>(`#line-${segmentNumber} .line-time`)?.focus()
}
