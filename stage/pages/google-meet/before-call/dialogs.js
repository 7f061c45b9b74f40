import { el, overlay } from '../../common/dom.js'

/** A dialog over the whole page. Either answer closes it. */
export function askPermission({ texts }) {
  const scrim = overlay(el('div.scrim'))
  const close = () => {
    dialog.remove()
    scrim.remove()
  }
  const choice = (words) => el('button', { onclick: close }, el('span', {}, words))
  const dialog = overlay(
    el(
      'div',
      { role: 'dialog', 'aria-modal': 'true' },
      el('h2', {}, texts.permission),
      choice(texts.useDevices),
      choice(texts.noDevices),
    ),
  )
}

/** Says that the call is recorded, transcribed or noted. Consenting sends the request to join. */
export function askConsent({ texts, knobs }, accept) {
  const join = el('button', { 'data-mdc-dialog-action': 'ok' }, el('span', {}, texts.joinNow))
  const dialog = overlay(
    el('div', { role: 'dialog', 'aria-modal': 'true' }, el('h2', {}, texts[knobs.notice]), join),
  )
  join.addEventListener('click', () => {
    dialog.remove()
    accept()
  })
}
