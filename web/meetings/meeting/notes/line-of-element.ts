/** The number of the transcript line that contains an element. Null outside the transcript. */
export function lineNumberOf(element: EventTarget | Element | null): number | null {
  if (!(element instanceof Element)) return null
  const line = element.closest('.transcript .line[id]')
  const [, digits] = /^line-(\d+)$/.exec(line?.id ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

/** Moves the focus to the line's time, because the element that had it is gone. */
export function focusTimeOfLine(segmentNumber: number): void {
  document.querySelector<HTMLElement>(`#line-${segmentNumber} .line-time`)?.focus()
}
