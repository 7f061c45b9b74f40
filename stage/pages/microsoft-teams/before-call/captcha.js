import { el, paint } from '../../common/dom.js'
import { retryScreen } from '../end-screens.js'

/** What the picture of the stage says. */
const ANSWER = 'stage'

/** Asks for what is on a picture; a wrong answer ends on the screen for another try. */
export function captcha(page, accept) {
  const { texts } = page
  const input = el('input', { type: 'text', 'aria-label': texts.captcha })
  const check = () => (input.value === ANSWER ? accept() : retryScreen(page, texts.noAnswer))
  paint(
    el(
      'div',
      { role: 'dialog', 'aria-modal': 'true' },
      el('h1', {}, texts.captcha),
      el('img', { alt: '', src: '/stage/pages/other-hosts/avatar.svg' }),
      input,
      el('button', { onclick: check }, texts.joinNow),
    ),
  )
}
