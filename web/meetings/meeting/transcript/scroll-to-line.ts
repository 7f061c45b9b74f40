import { lineElementId } from './line-id.ts'

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
