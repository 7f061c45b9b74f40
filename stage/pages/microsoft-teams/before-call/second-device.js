import { el, overlay } from '../../common/dom.js'
import { sendReport } from '../../common/feed.js'

/** Asks an account that is in the call on another device to add this one, or to move the call here. */
export function askForDevice({ texts, knobs }, knock) {
  const choice = (answer, words, tid) => {
    const choose = () => {
      void sendReport({ kind: 'answer', prompt: 'second-device', answer })
      dialog.remove()
      void knock()
    }
    return el('div', {}, el('button', { 'data-tid': tid, onclick: choose }, words))
  }
  const add = choice('add', texts.addDevice, 'calling-add-this-device')
  const dialog = overlay(
    el(
      'div',
      { role: 'dialog', 'aria-modal': 'true' },
      el('h2', {}, texts.inCallElsewhere),
      ...(knobs.accountElsewhere === 'yes' ? [add] : []),
      choice('move', texts.transferCall, 'calling-transfer-to-this-device'),
    ),
  )
}
