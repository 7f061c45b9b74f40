import { el } from '../../common/dom.js'

/** An icon. The font draws the word as a picture, and readers match the word. */
export function icon(name) {
  return el('i.google-symbols', { 'aria-hidden': 'true' }, name)
}

/** A toggle whose label names the effect of a click. It has no `aria-pressed`. */
function toggle({ knobs }, off, on, name, keys) {
  const suffix = knobs.labelsHaveKeys ? ` (${keys})` : ''
  const [tag, role] = knobs.generation === 'earlier' ? ['div', 'button'] : ['button', null]
  const attributes = { role, 'aria-label': off + suffix, 'data-is-muted': 'false' }
  if (tag === 'div') attributes.tabindex = '0'
  const button = el(tag, attributes, el('span', {}, icon(name)))
  button.addEventListener('click', () => {
    const isOff = button.dataset.isMuted === 'true'
    button.dataset.isMuted = String(!isOff)
    button.setAttribute('aria-label', (isOff ? off : on) + suffix)
  })
  return button
}

/**
 * The toolbar. The lobby has it too, with the leave button. That button must stay the same element when the call
 * starts, because bots listen on it from the lobby on.
 */
export function createToolbar(page, leave) {
  const { texts } = page
  const leaveButton = el(
    'button',
    { jsname: 'CQylAd', 'aria-label': texts.leave, onclick: leave },
    el('span', {}, icon('call_end')),
  )
  const extra = el('div')
  const bar = el(
    'div.toolbar',
    { role: 'region', 'aria-label': texts.controls },
    toggle(page, texts.microphoneOff, texts.microphoneOn, 'mic', 'ctrl + d'),
    toggle(page, texts.cameraOff, texts.cameraOn, 'videocam', 'ctrl + e'),
    extra,
    leaveButton,
  )
  return { bar, extra }
}

export function togglesOf(page) {
  const { texts } = page
  return [
    toggle(page, texts.microphoneOff, texts.microphoneOn, 'mic', 'ctrl + d'),
    toggle(page, texts.cameraOff, texts.cameraOn, 'videocam', 'ctrl + e'),
  ]
}
