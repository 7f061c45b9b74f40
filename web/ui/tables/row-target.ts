import type { MouseEvent } from 'react'

const CONTROLS = 'a, button, input, select, textarea, label, summary'
const MIDDLE_BUTTON = 1

/**
 * Opens what the name of a row links to when the row is clicked anywhere else. The keyboard uses the link itself. A click
 * that ends a selection of text opens nothing, and neither does one on another control of the row.
 */
export function openRowTarget(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target, type, button } = event
  // React also reports clicks inside menus of the row, which are elsewhere in the document.
  if (!(target instanceof Element) || !row.contains(target)) return
  if (target.closest(CONTROLS) !== null || window.getSelection()?.type === 'Range') return
  const link = row.querySelector<HTMLElement>('.row-name :is(a, button)')
  if (link === null) return
  if (type === 'click' && !event.ctrlKey && !event.metaKey && !event.shiftKey) link.click()
  else if (link instanceof HTMLAnchorElement && (type === 'click' || button === MIDDLE_BUTTON))
    window.open(link.href, '_blank', 'noopener')
}
