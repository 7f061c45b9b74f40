/** The element id of a transcript line, which is also the fragment of a link to the line. */
export function lineElementId(segmentNumber: number): string {
  return `line-${segmentNumber}`
}

/** Scrolls the transcript to a line, and the page only as far as needed to show the transcript. */
export function scrollToLine(segmentNumber: number): void {
  const line = document.getElementById(lineElementId(segmentNumber))
  const pageTop = window.scrollY
  line?.scrollIntoView({ block: 'center' })
  window.scrollTo({ top: pageTop })
  line?.closest('.transcript')?.scrollIntoView({ block: 'nearest' })
}

/** Scrolls to a line and moves the focus to its timestamp, so that the keyboard continues there. */
export function goToLine(segmentNumber: number): void {
  scrollToLine(segmentNumber)
  const line = document.getElementById(lineElementId(segmentNumber))
  line?.querySelector<HTMLElement>('.line-time')?.focus({ preventScroll: true })
}

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
