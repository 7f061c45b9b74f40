import { el, paint } from '../common/dom.js'

/** The screens from which a page cannot reach the call by itself. */
export function endScreen(page, screen) {
  const { texts, room } = page
  const isNumber = /\/meet\/\d+/.test(location.href) || /^\w+\/\d+$/.test(room)
  const [title, description] = {
    denied: [texts.denied, ''],
    'no-answer': [texts.noAnswer, ''],
    blocked: [texts.blocked, texts.signIn],
    'bot-detected': [texts.botDetected, ''],
    'bad-code': ['', isNumber ? texts.badNumber : texts.badLink],
    removed: [texts.removed, ''],
    emptied: [texts.emptied, ''],
    ended: [texts.ended, ''],
    left: [texts.left, texts.leftMore],
  }[screen]
  retryScreen(page, title, description)
}

/** One screen for every end. Its title names the reason. */
export function retryScreen({ texts }, title, description = '') {
  paint(
    el(
      'div',
      { 'data-tid': 'calling-retry-screen' },
      el('h1', { id: 'calling-retry-screen-title' }, title),
      el('div', { id: 'calling-retry-screen-description' }, description),
      el(
        'button',
        { 'data-tid': 'calling-retry-rejoinbutton', onclick: () => location.reload() },
        texts.rejoin,
      ),
      el(
        'button',
        { 'data-tid': 'calling-retry-cancelbutton', onclick: () => location.assign('/') },
        texts.dismiss,
      ),
    ),
  )
}
