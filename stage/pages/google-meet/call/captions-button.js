import { el } from '../../common/dom.js'
import { tellDeed } from '../../common/feed.js'
import { icon } from './toolbar.js'

/** Turns captions on and off, by a click or by the key `c`. */
export function createCaptionsButton({ texts }, board, turnedOn) {
  const button = el(
    'button',
    { jsname: 'r8qRAd', 'aria-label': texts.captionsOn, 'aria-pressed': 'false', onclick: toggle },
    el('span', {}, icon('closed_caption')),
    el('span', {}, icon('closed_caption_off')),
  )

  function toggle() {
    board.toggle()
    button.setAttribute('aria-label', board.isOn ? texts.captionsOff : texts.captionsOn)
    button.setAttribute('aria-pressed', String(board.isOn))
    // On means on: the wire has its captions too by the time that anybody hears of it.
    if (board.isOn) void turnedOn().then(() => tellDeed('captions on'))
    else void tellDeed('captions off')
  }

  document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea')
    if (!button.isConnected || isTyping || ctrlKey || metaKey || altKey) return
    if (key.toLowerCase() === 'c') toggle()
  })
  return button
}
