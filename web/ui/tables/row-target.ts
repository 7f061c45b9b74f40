import type { MouseEvent } from 'react'

const CONTROLS = 'a, button, input, select, textarea, label, summary'
const MIDDLE_BUTTON = 1

/**
 * Opens the link in a row's name when the row is clicked elsewhere. The keyboard uses the link itself. A click that
 * ends a text selection opens nothing, and neither does a click on another control of the row.
 */
export function openRowTarget(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target, type, button } = event
  // React also reports clicks inside the row's menus, which are elsewhere in the document.
  if (!(target instanceof Element) || !row.contains(target)) return
  if (target.closest(CONTROLS) !== null || window.getSelection()?.type === 'Range') return
  const link = row.querySelector<HTMLElement>('.row-name :is(a, button)')
  if (link === null) return
  if (type === 'click' && !event.ctrlKey && !event.metaKey && !event.shiftKey) link.click()
  else if (link instanceof HTMLAnchorElement && (type === 'click' || button === MIDDLE_BUTTON))
    window.open(link.href, '_blank', 'noopener')
}
