import { el, paint } from '../common/dom.js'

const BLOCKED_SECONDS = 60

/** The screens from which a page cannot reach the call by itself. */
export function endScreen(page, screen) {
  ENDS[screen](page)
}

const ENDS = {
  denied: (page) => refusal(page, page.texts.denied),
  'no-answer': (page) => refusal(page, page.texts.noAnswer),
  'bad-code': ({ texts, knobs }) =>
    knobs.generation === 'earlier'
      ? paint(heading(texts.badCodeEarlier), home(texts))
      : paint(heading(texts.badCode), el('div', {}, texts.badCodeMore), home(texts)),
  blocked,
  captcha: () =>
    paint(
      el('iframe', {
        src: 'https://www.google.com/recaptcha/api2/anchor',
        title: 'reCAPTCHA',
        width: '304',
        height: '78',
      }),
    ),
  'bot-detected': blocked,
  removed: (page) => after(page, page.texts.removed),
  emptied: (page) => after(page, page.texts.emptied),
  ended: (page) => after(page, page.texts.ended),
  left: ({ texts }) =>
    paint(
      el('div', { role: 'heading', 'aria-level': '1' }, texts.left),
      rejoin(texts),
      home(texts),
    ),
}

function heading(words) {
  return el('h1.roSPhc', { jsname: 'r4nke' }, words)
}

function home(texts) {
  return el('button', { onclick: () => location.assign('/') }, el('span', {}, texts.home))
}

function rejoin(texts) {
  return el('button', { onclick: () => location.reload() }, el('span', {}, texts.rejoin))
}

function refusal({ texts }, words) {
  paint(heading(words), home(texts))
}

function after({ texts }, words) {
  paint(heading(words), rejoin(texts), home(texts))
}

/** Counts down and redirects to the platform's advertising page, as Google Meet has done since June 2026. */
function blocked({ texts, knobs }) {
  const count = el('div')
  paint(heading(texts.blocked), el('div', {}, texts.blockedMore), count, home(texts))
  let left = BLOCKED_SECONDS
  const tick = () => {
    count.textContent = texts.returning(left)
    if (left-- > 0) setTimeout(tick, 1_000 / knobs.speed)
    else location.assign('https://workspace.google.com/products/meet/')
  }
  tick()
}
