import { el, paint } from '../../common/dom.js'
import { retryScreen } from '../end-screens.js'

/** The text in the captcha image. */
const ANSWER = 'stage'

/** Asks for the text in an image. A wrong answer shows the retry screen. */
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
