import { el } from '../../common/dom.js'
import { reportAction } from '../../common/feed.js'
import { icon } from './toolbar.js'

/** Turns captions on and off by a click or the key `c`. */
export function createCaptionsButton({ texts, knobs }, captionPanel, turnedOn) {
  const { hasButtonLabels } = knobs
  const button = el(
    'button',
    { jsname: hasButtonLabels ? 'r8qRAd' : null, onclick: toggle },
    el('span', {}, icon('closed_caption')),
    el('span', {}, icon('closed_caption_off')),
  )
  captionPanel.onChange(showState)
  showState()

  function showState() {
    button.setAttribute('aria-pressed', String(captionPanel.isOn))
    if (!hasButtonLabels) return
    button.setAttribute('aria-label', captionPanel.isOn ? texts.captionsOff : texts.captionsOn)
  }
  function toggle() {
    captionPanel.toggle()
    // Reports only after the wire carries captions too.
    if (captionPanel.isOn) void turnedOn().then(() => reportAction('captions on'))
    else void reportAction('captions off')
  }

  document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea')
    if (!button.isConnected || isTyping || ctrlKey || metaKey || altKey) return
    if (key.toLowerCase() === 'c') toggle()
  })
  return button
}
