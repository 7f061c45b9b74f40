import { el } from '../../common/dom.js'
import { hideWhenIdle } from '../../common/hide-when-idle.js'
import { moreButton, viewButton } from './menus.js'

/** The buttons during a call. */
export function createToolbar(page, { captionPanel, language, leave, chat, roster }) {
  const { texts, knobs } = page
  const badge = el('span', { 'data-tid': 'roster-button-tile' })
  const chatButton = paneButton('chat-button', texts.chat, chat)
  const rosterButton = paneButton('roster-button', texts.people, roster)
  rosterButton.append(badge)
  if (!knobs.hasButtonLabels) replaceLabel(rosterButton, 'calling-toolbar-people-button')
  const bar = el(
    'div.toolbar',
    {},
    el('span', { 'data-tid': 'call-duration' }, '00:10'),
    chatButton,
    rosterButton,
    el('button', { id: 'raisehands-button' }, texts.raise),
    el('button', { id: 'reaction-menu-button' }, texts.react),
    viewButton(page),
    ...(knobs.hasButtonLabels ? [] : [captionsButton(captionPanel)]),
    moreButton(page, captionPanel, language),
    el('button', { id: 'video-button', 'aria-label': 'Turn camera on' }),
    el('button', { id: 'microphone-button', 'aria-label': 'Unmute mic' }),
    el('div', {}, ...hangUp(page, leave)),
  )
  hideWhenIdle(bar, knobs)
  return { bar, badge }
}

/** In the earlier page, the id is on an element around the button. A host has a second button next to it. */
function hangUp({ texts, knobs }, leave) {
  const attributes = {
    'data-tid': 'hangup-main-btn',
    'data-inp': 'hangup-button',
    'aria-label': texts.leave,
  }
  if (knobs.generation === 'earlier') {
    const button = el('button', { ...attributes, onclick: leave }, texts.leave)
    return [el('div', { id: 'hangup-button' }, button)]
  }
  const button = el('button', { id: 'hangup-button', ...attributes, onclick: leave }, texts.leave)
  return knobs.view === 'host' ? [button, el('button', { 'aria-label': texts.more })] : [button]
}

function paneButton(id, words, pane) {
  const button = el('button', { id, 'aria-label': words, 'aria-pressed': 'false' }, words)
  button.addEventListener('click', () => {
    pane.hidden = !pane.hidden
    button.setAttribute('aria-pressed', String(!pane.hidden))
  })
  pane.hidden = true
  return button
}

/** The newer button has neither the id nor the label of the earlier one. */
function replaceLabel(button, tid) {
  button.removeAttribute('id')
  button.removeAttribute('aria-label')
  button.setAttribute('data-tid', tid)
  button.replaceChildren(...button.children)
}

/** The newer captions button, in the toolbar itself. */
function captionsButton(captionPanel) {
  const button = el(
    'button',
    { 'data-tid': 'call-captions-button', onclick: toggle },
    el('i', {}, 'CC'),
  )
  function showState() {
    button.setAttribute('aria-pressed', String(captionPanel.isOn))
  }
  function toggle() {
    captionPanel.turn(!captionPanel.isOn)
    showState()
  }
  showState()
  return button
}
