import { el } from '../../common/dom.js'
import { icon } from './toolbar.js'

/** The side panels, of which only one is open. A panel is added to the page when it first opens, and stays in it. */
export function createPanels({ texts, knobs }) {
  const { hasButtonLabels } = knobs
  const side = el('aside.closed', { 'aria-label': texts.sidePanel })

  function open(panel) {
    const isOpen =
      !side.classList.contains('closed') && panel.parentElement === side && !panel.hidden
    if (panel.parentElement !== side) side.append(panel)
    for (const one of side.children) one.hidden = one !== panel
    side.classList.toggle('closed', isOpen)
  }

  return {
    side,
    button: (id, label, name, panel) =>
      el(
        'button',
        {
          'data-panel-id': hasButtonLabels ? id : null,
          'aria-label': hasButtonLabels ? label : null,
          onclick: () => open(panel),
        },
        el('span', {}, icon(name)),
      ),
  }
}
